/** Writes down what an hour brought, for each source and for all (`*`): from the events as they stand now, so that it can be done again. */
import { sql } from "drizzle-orm";
import { HOUR_MS } from "../../core/stats.ts";
import type { Tx } from "../guard.ts";
import { atMs, epochMs } from "./keys.ts";

export interface HoursState {
  readonly firstEventMs: number | null;
  readonly lastFilledMs: number | null;
}

export async function readHoursState(db: Tx): Promise<HoursState> {
  const rows = await db.execute<Readonly<Record<string, unknown>> & HoursState>(sql`
    select (select ${epochMs(sql`min(e.received_at)`)} from webhook_events e) as "firstEventMs",
      (select ${epochMs(sql`max(h.hour)`)} from webhook_hours h where h.source = '*') as "lastFilledMs"`);
  return rows[0] ?? { firstEventMs: null, lastFilledMs: null };
}

/** In order of source, as every run of it: two at once do not deadlock. A latency beyond the column's type (24 days) is told as that. */
export async function fillHour(db: Tx, hourMs: number): Promise<void> {
  const [from, to] = [atMs(hourMs), atMs(hourMs + HOUR_MS)];
  await db.execute(sql`
    with arrived as (
      select coalesce(e.source, '*') as source, count(*) as received
      from webhook_events e
      where e.received_at >= ${from}
        and e.received_at < ${to}
      group by grouping sets ((e.source), ())
    ),
    ended as (
      select coalesce(e.source, '*') as source,
        count(*) filter (where e.status = 'completed') as completed,
        count(*) filter (where e.status = 'skipped') as skipped,
        count(*) filter (where e.status = 'failed') as failed,
        percentile_disc(array[0.5, 0.95, 0.99]::float8[]) within group (order by least(greatest(date_part('epoch', e.settled_at - e.received_at), 0), 2147483))
          filter (where e.status = 'completed') as p
      from webhook_events e
      where e.settled_at >= ${from}
        and e.settled_at < ${to}
      group by grouping sets ((e.source), ())
    )
    insert into webhook_hours as h (hour, source, received, completed, skipped, failed, p50_ms, p95_ms, p99_ms)
    select ${from}, source, coalesce(a.received, 0), coalesce(s.completed, 0), coalesce(s.skipped, 0), coalesce(s.failed, 0), ${ms(1)}, ${ms(2)}, ${ms(3)}
    from arrived a
    full join ended s using (source)
    order by source
    on conflict (hour, source) do update
    set received = excluded.received, completed = excluded.completed, skipped = excluded.skipped, failed = excluded.failed,
      p50_ms = excluded.p50_ms, p95_ms = excluded.p95_ms, p99_ms = excluded.p99_ms
    where (h.received, h.completed, h.skipped, h.failed, h.p50_ms, h.p95_ms, h.p99_ms)
      is distinct from (excluded.received, excluded.completed, excluded.skipped, excluded.failed, excluded.p50_ms, excluded.p95_ms, excluded.p99_ms)`);
}

const ms = (percentile: 1 | 2 | 3) => sql`round(s.p[${sql.raw(String(percentile))}] * 1000)::int`;
