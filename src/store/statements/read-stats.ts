/** What came in and what became of it, bucket by bucket, counted from the events themselves (webhook_events_received, _source and _settled). */
import { type SQL, sql } from "drizzle-orm";
import type { StatsRow, StatsWindow } from "../../core/stats.ts";
import type { Tx } from "../guard.ts";
import { atMs, epochMs, intervalMs } from "./keys.ts";

/**
 * Latencies are of those completed: from arrival to the beginning of the transaction that settled them, each one a real event's.
 * Those are two clocks: an event can seem to end before it came. `source` null: all.
 */
export async function readStats(db: Tx, window: StatsWindow, source: string | null): Promise<StatsRow[]> {
  const bucketOf = (time: SQL): SQL => sql`date_bin(${intervalMs(window.bucketMs)}, ${time}, ${atMs(window.fromMs)})`;
  const within = (time: SQL): SQL => sql`${time} >= ${atMs(window.fromMs)} and ${time} < ${atMs(window.toMs)}`;
  const ofSource = source === null ? sql`` : sql`and e.source = ${source}::text`;
  return db.execute<Readonly<Record<string, unknown>> & StatsRow>(sql`
    with arrived as (
      select ${bucketOf(sql`e.received_at`)} as at
      from webhook_events e
      where ${within(sql`e.received_at`)}
        ${ofSource}
    ),
    ended as (
      select ${bucketOf(sql`e.settled_at`)} as at, e.status, greatest(date_part('epoch', e.settled_at - e.received_at), 0) as seconds
      from webhook_events e
      where ${within(sql`e.settled_at`)}
        ${ofSource}
    ),
    counted as (
      select s.at,
        count(*) filter (where s.status = 'completed') as completed,
        count(*) filter (where s.status = 'skipped') as skipped,
        count(*) filter (where s.status = 'failed') as failed,
        percentile_disc(array[0.5, 0.95, 0.99]::float8[]) within group (order by s.seconds) filter (where s.status = 'completed') as p
      from ended s
      group by grouping sets ((s.at), ())
    )
    select ${epochMs(sql`a.at`)} as "atMs", count(*)::float8 as received, 0 as completed, 0 as skipped, 0 as failed,
      null::float8 as "p50Ms", null::float8 as "p95Ms", null::float8 as "p99Ms"
    from arrived a
    group by grouping sets ((a.at), ())
    union all
    select ${epochMs(sql`c.at`)}, 0, c.completed::float8, c.skipped::float8, c.failed::float8, ${ms(1)}, ${ms(2)}, ${ms(3)}
    from counted c`);
}

const ms = (percentile: 1 | 2 | 3): SQL => sql`round(c.p[${sql.raw(String(percentile))}] * 1000)`;
