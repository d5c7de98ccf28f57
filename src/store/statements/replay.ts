/** An operator's order to try again: one guarded statement, so that two operators at once make one replay. */
import { sql } from "drizzle-orm";
import type { EventKey } from "../../core/event.ts";
import type { Tx } from "../guard.ts";

export interface ReplayedRow {
  readonly opening: number;
  readonly what: "event" | "after";
}

/** A dead letter or a skipped event is opened again; of a completed one whose `after` was given up, the `after` alone. null: none of these. */
export async function replay(db: Tx, key: EventKey, nowMs: number): Promise<ReplayedRow | null> {
  const rows = await db.execute<Readonly<Record<string, unknown>> & ReplayedRow>(sql`
    update webhook_events e
    set status = case when e.status = 'completed' then e.status else 'pending' end,
      reason = null,
      opening = greatest(e.opening + 1, ${nowMs}::bigint),
      attempts = case when e.status = 'completed' then e.attempts else 0 end,
      starts = 0,
      started_at = null,
      settled_at = case when e.status = 'completed' then e.settled_at end,
      after = case when e.status = 'completed' then 'owed' else 'none' end,
      after_attempts = 0,
      replays = e.replays + 1,
      sent_at = now()
    where e.source = ${key.source}::text
      and e.event_id = ${key.id}::text
      and e.body is not null
      and (e.status in ('failed', 'skipped') or (e.status = 'completed' and e.after = 'failed'))
    returning e.opening::float8 as opening, case when e.status = 'completed' then 'after' else 'event' end as what`);
  return rows[0] ?? null;
}
