/** Pure. What the options of `npm run replay` ask for: the order as the API takes it, and the lists that show what it is about. */
import { REPLAY_RATE_PER_SECOND, REPLAY_ROWS } from "../../src/core/limits.ts";
import type { EventFilter, ReplayOrder } from "../../src/core/operators.ts";

export interface FilterFlags {
  readonly source?: string;
  readonly status?: "failed" | "skipped";
  readonly after?: "failed";
  readonly type?: string;
  /** Epoch ms. */
  readonly from?: number;
  readonly to?: number;
  readonly prefix?: string;
  readonly fingerprint?: string;
}

export interface OrderFlags extends FilterFlags {
  readonly rate?: number;
  readonly limit?: number;
  readonly withPermanent?: boolean;
  readonly reason?: string;
}

export type ReplayFilter = Omit<EventFilter, "status" | "after"> & Pick<FilterFlags, "status" | "after">;
export type GroupOrder = ReplayOrder & { readonly filter: ReplayFilter };

export function orderOf(flags: OrderFlags): GroupOrder {
  return {
    filter: filterOf(flags),
    withPermanent: flags.withPermanent === true,
    ratePerSecond: flags.rate ?? REPLAY_RATE_PER_SECOND,
    rowLimit: flags.limit ?? REPLAY_ROWS,
    reason: flags.reason ?? null,
  };
}

/** A replay of everything is not asked for by leaving something out. */
export function hasCondition(flags: FilterFlags): boolean {
  return Object.keys(filterOf(flags)).length > 0;
}

function filterOf({ source, status, after, type, from, to, prefix, fingerprint }: FilterFlags): ReplayFilter {
  const filter = { source, status, after, type, fromMs: from, toMs: to, idPrefix: prefix, fingerprint };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

/** The lists of events that hold what the filter means; without status and after: dead letters, and afters that were given up. */
export function listsOf(filter: ReplayFilter) {
  const { fromMs, toMs, idPrefix, ...same } = filter;
  const conditions = {
    ...same,
    ...(fromMs === undefined ? {} : { from: fromMs }),
    ...(toMs === undefined ? {} : { to: toMs }),
    ...(idPrefix === undefined ? {} : { prefix: idPrefix }),
  };
  if (filter.status !== undefined || filter.after !== undefined) return [conditions];
  return [
    { ...conditions, status: "failed" as const },
    { ...conditions, after: "failed" as const },
  ];
}
