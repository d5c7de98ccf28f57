/** The figures of hours that are over, as the cron wrote them down; percentiles of several hours together are those of the worst. */
import { sql } from "drizzle-orm";
import type { StatsRow, StatsWindow } from "../../core/stats.ts";
import type { Tx } from "../guard.ts";
import { atMs, epochMs, intervalMs } from "./keys.ts";

/** `source` null: all. */
export async function readHours(db: Tx, window: StatsWindow, source: string | null): Promise<StatsRow[]> {
  return db.execute<Readonly<Record<string, unknown>> & StatsRow>(sql`
    with hours as (
      select date_bin(${intervalMs(window.bucketMs)}, h.hour, ${atMs(window.fromMs)}) as at, h.*
      from webhook_hours h
      where h.hour >= ${atMs(window.fromMs)}
        and h.hour < ${atMs(window.toMs)}
        and h.source = ${source ?? "*"}::text
    )
    select ${epochMs(sql`h.at`)} as "atMs",
      coalesce(sum(h.received), 0)::float8 as received,
      coalesce(sum(h.completed), 0)::float8 as completed,
      coalesce(sum(h.skipped), 0)::float8 as skipped,
      coalesce(sum(h.failed), 0)::float8 as failed,
      max(h.p50_ms) as "p50Ms", max(h.p95_ms) as "p95Ms", max(h.p99_ms) as "p99Ms"
    from hours h
    group by grouping sets ((h.at), ())`);
}
