/** What an order may say, for the API's bodies and the console's forms: parsed here alone, each refusal a sentence. */
import { z } from "zod";
import { SOURCE_NAME } from "../core/event.ts";
import {
  EVENT_ID_LIMIT_BYTES,
  ORDER_REASON_LIMIT_CHARACTERS,
  REPLAY_RATE_LIMIT_PER_SECOND,
  REPLAY_RATE_PER_SECOND,
  REPLAY_ROWS,
  REPLAY_ROWS_LIMIT,
  TYPE_LIMIT_BYTES,
} from "../core/limits.ts";
import { readReason } from "../core/orders.ts";

const flag = (means: string) => z.boolean(`must be true or false: ${means}`).default(false);

const REASON = `must be text of 1 to ${ORDER_REASON_LIMIT_CHARACTERS} characters: it stands in the audit`;
/** Cleaned before it is held against its bounds. */
const reason = z.string(REASON).transform((text, context) => {
  const read = readReason(text);
  if (read === null) context.addIssue(REASON);
  return read ?? "";
});
const optionalReason = reason.nullable().default(null);

const unknownField = (fields: string) => ({
  error: (issue: { readonly code: string; readonly keys?: readonly string[] }) =>
    issue.code === "unrecognized_keys"
      ? `unknown field ${(issue.keys ?? []).map((key) => JSON.stringify(key)).join(", ")}; known are ${fields}`
      : `must be an object with ${fields}`,
});

export const replayBody = z.strictObject(
  { force: flag("whether a completed event has its effect once more"), reason: optionalReason },
  unknownField("force, reason"),
);
export const reasonBody = z.strictObject({ reason }, unknownField("reason"));

const text = (what: string, limitBytes: number) =>
  z
    .string(`must be ${what}`)
    .refine(
      (value) => value !== "" && value.isWellFormed() && !value.includes("\0") && new TextEncoder().encode(value).byteLength <= limitBytes,
      `must be ${what}`,
    );
const TIME = "must be a time: ISO 8601 with its zone, such as 2026-11-30T09:00:00Z, or epoch milliseconds";
/** What a Date holds. */
const EPOCH_LIMIT_MS = 8_640_000_000_000_000;
const time = z.union([z.int().min(0).max(EPOCH_LIMIT_MS), z.iso.datetime({ offset: true }).transform((given) => Date.parse(given))], TIME);

/** An EventFilter of which a replay makes sense: of dead letters, or of what was given up after the commit. */
const filter = z
  .strictObject(
    {
      status: z.literal("failed", "must be failed: other events are replayed one by one").optional(),
      after: z.literal("failed", "must be failed: events that completed, whose after was given up").optional(),
      source: z.string("must be a source's name").regex(SOURCE_NAME, "must be a source's name").optional(),
      type: text(`an event type of 1 to ${TYPE_LIMIT_BYTES} bytes`, TYPE_LIMIT_BYTES).optional(),
      fromMs: time.optional(),
      toMs: time.optional(),
      idPrefix: text(`the beginning of an event id, 1 to ${EVENT_ID_LIMIT_BYTES} bytes`, EVENT_ID_LIMIT_BYTES).optional(),
      fingerprint: z
        .string("must be a fingerprint: 12 hex digits")
        .regex(/^[0-9a-f]{12}$/, "must be a fingerprint: 12 hex digits")
        .optional(),
    },
    unknownField("status, after, source, type, fromMs, toMs, idPrefix, fingerprint"),
  )
  .refine(
    ({ status, after }) => status === undefined || after === undefined,
    "says status or after, not both: no event is both a dead letter and completed",
  );

const wholeNumber = (low: number, high: number) => {
  const message = `must be a whole number from ${low} to ${high}`;
  return z.int(message).min(low, message).max(high, message);
};

export const groupBody = z.strictObject(
  {
    filter: filter.default({}),
    dryRun: z.boolean("must be true or false: only `false` starts it").default(true),
    withPermanent: flag("whether events that ended by a PermanentError or bad data are replayed too"),
    ratePerSecond: wholeNumber(1, REPLAY_RATE_LIMIT_PER_SECOND).default(REPLAY_RATE_PER_SECOND),
    rowLimit: wholeNumber(1, REPLAY_ROWS_LIMIT).default(REPLAY_ROWS),
    reason: optionalReason,
  },
  unknownField("filter, dryRun, withPermanent, ratePerSecond, rowLimit, reason"),
);
