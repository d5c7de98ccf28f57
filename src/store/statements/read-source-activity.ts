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

/** A row for each of the names. */
export async function readSourceActivity(db: Tx, sources: readonly string[], withinMs: number): Promise<SourceActivity[]> {
  return db.execute<Readonly<Record<string, unknown>> & SourceActivity>(sql`
    select s.name as source, ${epochMs(sql`l.received_at`)} as "lastReceivedAtMs", d.received, d.completed, d.skipped, d.failed
    from jsonb_array_elements_text(${JSON.stringify(sources)}::text::jsonb) with ordinality as s(name, place)
    left join lateral (
      select e.received_at
      from webhook_events e
      where e.source = s.name
      order by e.received_at desc
      limit 1
    ) l on true
    cross join lateral (
      select count(*)::int as received,
        count(*) filter (where e.status = 'completed')::int as completed,
        count(*) filter (where e.status = 'skipped')::int as skipped,
        count(*) filter (where e.status = 'failed')::int as failed
      from webhook_events e
      where e.source = s.name
        and e.received_at >= now() - ${intervalMs(withinMs)}
    ) d
    order by s.place`);
}
