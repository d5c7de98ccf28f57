/** Which events `e` a replay of a group opens: one condition, for the plan, each step and its end alike. */
import { type SQL, sql } from "drizzle-orm";
import type { EventFilter } from "../core/operators.ts";
import { matching } from "./event-filter.ts";

/**
 * Dead letters and given-up afters. By `status: "skipped"` those that nothing was there to handle: what was skipped as somebody's copy, by the
 * handler or by an operator was meant, and is replayed one by one. Opened before the run began: what fails again is not opened by it again.
 */
export function replayable(filter: EventFilter, beforeOpening: number): SQL {
  const kind =
    filter.status === "skipped" ? sql`e.reason = 'no_handler'` : sql`(e.status = 'failed' or (e.status = 'completed' and e.after = 'failed'))`;
  return sql`${matching(filter)} and ${kind} and e.opening < ${beforeOpening}::bigint`;
}

/** Ended by a PermanentError or bad data: a replay alone will not help. */
export const isPermanent: SQL = sql`(e.status = 'failed' and coalesce(e.reason in ('permanent', 'unstorable'), false))`;
