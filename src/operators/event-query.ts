/** Pure. The conditions of a list of events as a URL has them: each bad one told in words, for the API's problems and the console's form. */
import { z } from "zod";
import { decodeCursor } from "../core/event-cursor.ts";
import { EVENT_ID_LIMIT_BYTES, PAGE_DEFAULT, PAGE_LIMIT, SOURCE_NAME_LIMIT_BYTES, TYPE_LIMIT_BYTES } from "../core/limits.ts";
import { momentMs } from "../core/moments.ts";
import type { EventCursor, EventFilter } from "../core/operators.ts";
import { failed, ok, type Result } from "../core/result.ts";

const STATUSES = ["pending", "completed", "skipped", "failed"] as const;
const AFTERS = ["none", "owed", "done", "failed"] as const;

/** Text that Postgres takes, as long as what it is compared with. */
const text = (limitBytes: number) => {
  const error = `it must be 1 to ${limitBytes} bytes of text without NUL`;
  return z.string({ error: GIVEN_ONCE }).refine((value) => isStorable(value, limitBytes), { error });
};
const GIVEN_ONCE = "it must be given once";
const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `it must be one of ${values.join(", ")}` });
/** Epoch ms. */
const moment = z.string({ error: GIVEN_ONCE }).transform((value, context) => {
  const ms = momentMs(value);
  if (ms !== null) return ms;
  context.addIssue({
    code: "custom",
    message: "it must be a time: ISO 8601 (2026-11-30, 2026-11-30T03:00:00Z; UTC without a zone) or epoch milliseconds",
  });
  return z.NEVER;
});
/** A whole number between the two. */
export const whole = (low: number, high: number) =>
  z
    .string({ error: GIVEN_ONCE })
    .refine((value) => /^\d{1,16}$/.test(value) && Number(value) >= low && Number(value) <= high, {
      error: `it must be a whole number from ${low} to ${high}`,
    })
    .transform(Number);

export const FILTER_FIELDS = {
  status: oneOf(STATUSES).optional(),
  after: oneOf(AFTERS).optional(),
  source: text(SOURCE_NAME_LIMIT_BYTES).optional(),
  type: text(TYPE_LIMIT_BYTES).optional(),
  from: moment.optional(),
  to: moment.optional(),
  prefix: text(EVENT_ID_LIMIT_BYTES).optional(),
  fingerprint: z
    .string({ error: GIVEN_ONCE })
    .regex(/^[0-9a-f]{12}$/, { error: "it must be 12 hex digits in lower case, as a list shows them" })
    .optional(),
};

const EventQuery = z.strictObject({
  ...FILTER_FIELDS,
  limit: whole(1, PAGE_LIMIT).default(PAGE_DEFAULT),
  cursor: z
    .string({ error: GIVEN_ONCE })
    .transform((value, context) => {
      const cursor = decodeCursor(value);
      if (cursor !== null && isStorable(cursor.source, SOURCE_NAME_LIMIT_BYTES) && isStorable(cursor.id, EVENT_ID_LIMIT_BYTES)) return cursor;
      context.addIssue({ code: "custom", message: "it must be the `next` of the page before, as it came" });
      return z.NEVER;
    })
    .optional(),
});

export interface EventPageQuery {
  readonly filter: EventFilter;
  readonly cursor: EventCursor | null;
  readonly limit: number;
}

/** A parameter that came several times is a list, and refused. The failure: one sentence for each that is wrong. */
export function readEventQuery(query: Readonly<Record<string, unknown>>): Result<EventPageQuery, string> {
  const read = readQuery(EventQuery, query);
  if (!read.ok) return read;
  const { limit, cursor, ...fields } = read.value;
  const filter = filterOf(fields);
  const { fromMs = 0, toMs = Number.POSITIVE_INFINITY } = filter;
  if (fromMs >= toMs) return failed(`parameter "to" is ${told(query["to"])}: it must be later than "from", which is ${told(query["from"])}`);
  return ok({ filter, cursor: cursor ?? null, limit });
}

/** The parameters' short names made the filter's. */
export function filterOf(fields: z.output<z.ZodObject<typeof FILTER_FIELDS>>): EventFilter {
  const { from, to, prefix, ...same } = fields;
  const filter = { ...same, fromMs: from, toMs: to, idPrefix: prefix };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/** Any query, by its schema: what is wrong with it as one text. */
export function readQuery<Schema extends z.ZodObject>(schema: Schema, query: Readonly<Record<string, unknown>>): Result<z.output<Schema>, string> {
  const parsed = schema.safeParse(query);
  if (parsed.success) return ok(parsed.data);
  const known = Object.keys(schema.shape).join(", ");
  const sentences = parsed.error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((name) => `parameter ${told(name)} is unknown: known are ${known === "" ? "none" : known}`);
    const name = String(issue.path[0]);
    return [`parameter "${name}" is ${told(query[name])}: ${issue.message}`];
  });
  return failed(sentences.join("; "));
}

/** As it came, so far as it fits a sentence. */
const TOLD_CHARACTERS = 80;
function told(value: unknown): string {
  const shown = value === undefined ? "missing" : JSON.stringify(value);
  return shown.length > TOLD_CHARACTERS ? `${shown.slice(0, TOLD_CHARACTERS)}...` : shown;
}

/** Whether it can stand in the ledger at all. */
export function isStorable(value: string, limitBytes: number): boolean {
  const bytes = new TextEncoder().encode(value).length;
  return bytes > 0 && bytes <= limitBytes && !value.includes("\0") && value.isWellFormed();
}
