/** Pure. A group replay as a form's fields: the same for the dry run in the URL and for the order. What cannot be read is told; it then starts nothing. */
import { REPLAY_RATE_PER_SECOND, REPLAY_ROWS } from "../core/limits.ts";
import type { EventFilter, ReplayOrder } from "../core/operators.ts";
import { groupBody } from "../operators/order-body.ts";
import { type Query, readFilter } from "./filter.ts";
import { filterQuery } from "./links.ts";

/** What is replayed, by the name that the form has for it. None: what is dead or given up, as the API takes it. */
export const WHATS = {
  dead: "dead letters",
  afters: "afters given up",
  unhandled: "skipped, since no handler was there",
} as const;
export type What = keyof typeof WHATS;

const CONDITIONS: Readonly<Record<What, EventFilter>> = { dead: { status: "failed" }, afters: { after: "failed" }, unhandled: { status: "skipped" } };

export interface ReadOrder {
  readonly order: ReplayOrder;
  readonly problems: readonly string[];
}

export function readReplayForm(query: Query): ReadOrder {
  const { status: _, after: __, what, ...conditions } = query;
  const { filter, problems } = readFilter(conditions);
  const given = what === undefined || what === "" ? {} : isWhat(what) ? CONDITIONS[what] : null;
  const parsed = groupBody.safeParse({
    filter: { ...filter, ...given },
    withPermanent: query["permanent"] !== undefined,
    ratePerSecond: numberOf(query["rate"], REPLAY_RATE_PER_SECOND),
    rowLimit: numberOf(query["limit"], REPLAY_ROWS),
    ...(query["reason"] === undefined ? {} : { reason: query["reason"] }),
  });
  const told = [
    ...problems,
    ...(given === null ? [`what can be ${Object.keys(WHATS).join(", ")}`] : []),
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${NAMES[String(path.at(-1))] ?? path.join(".")} ${message}`),
  ];
  const base: ReplayOrder = { filter, withPermanent: false, ratePerSecond: REPLAY_RATE_PER_SECOND, rowLimit: REPLAY_ROWS, reason: null };
  if (!parsed.success) return { order: base, problems: told };
  const { withPermanent, ratePerSecond, rowLimit, reason } = parsed.data;
  return { order: { filter: { ...filter, ...given }, withPermanent, ratePerSecond, rowLimit, reason }, problems: told };
}

/** What the fields are called on the page. */
const NAMES: Readonly<Record<string, string>> = {
  ratePerSecond: "per second",
  rowLimit: "at most",
  source: "source",
  type: "type",
  idPrefix: "event id",
  fingerprint: "kind of failure",
  reason: "reason",
};

/** The fields that `readReplayForm` reads the order from, without its reason. */
export function replayQuery({ filter, ratePerSecond, rowLimit, withPermanent }: Omit<ReplayOrder, "reason">): Record<string, string | undefined> {
  const { status: _, after: __, ...conditions } = filterQuery(filter);
  return { ...conditions, what: whatOf(filter), rate: String(ratePerSecond), limit: String(rowLimit), permanent: withPermanent ? "yes" : undefined };
}

function whatOf({ status, after }: EventFilter): What | undefined {
  if (after === "failed") return "afters";
  if (status === "skipped") return "unhandled";
  return status === "failed" ? "dead" : undefined;
}

const isWhat = (text: string): text is What => Object.hasOwn(WHATS, text);

/** NaN is refused in words by the schema. */
function numberOf(text: string | undefined, otherwise: number): number {
  const given = text?.trim() ?? "";
  return given === "" ? otherwise : /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
}
