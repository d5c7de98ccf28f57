/** What each source brought lately: its last event, and how those stand that arrived within a time. */
import { sql } from "drizzle-orm";
import type { Tx } from "../guard.ts";
import { epochMs, intervalMs } from "./keys.ts";

export interface SourceActivity {
  readonly source: string;
  readonly lastReceivedAtMs: number | null;
  readonly received: number;
  readonly completed: number;
  readonly skipped: number;
  readonly failed: number;
}

/** A row for each of the names. Nearly all are completed: those are what is left, so that indexes alone answer. */
export async function readSourceActivity(db: Tx, sources: readonly string[], withinMs: number): Promise<SourceActivity[]> {
  return db.execute<Readonly<Record<string, unknown>> & SourceActivity>(sql`
    with arrived as (
      select e.source, count(*) as all
      from webhook_events e
      where e.received_at >= now() - ${intervalMs(withinMs)}
      group by e.source
    ),
    others as (
      select e.source, count(*) as all,
        count(*) filter (where e.status = 'skipped') as skipped,
        count(*) filter (where e.status = 'failed') as failed
      from webhook_events e
      where e.status in ('pending', 'skipped', 'failed')
        and e.received_at >= now() - ${intervalMs(withinMs)}
      group by e.source
    )
    select s.name as source, ${epochMs(sql`l.received_at`)} as "lastReceivedAtMs",
      coalesce(a.all, 0)::int as received,
      (coalesce(a.all, 0) - coalesce(o.all, 0))::int as completed,
      coalesce(o.skipped, 0)::int as skipped,
      coalesce(o.failed, 0)::int as failed
    from jsonb_array_elements_text(${JSON.stringify(sources)}::text::jsonb) with ordinality as s(name, place)
    left join lateral (
      select e.received_at
      from webhook_events e
      where e.source = s.name
      order by e.received_at desc
      limit 1
    ) l on true
    left join arrived a on a.source = s.name
    left join others o on o.source = s.name
    order by s.place`);
}
