/** An operator's order to try one event again: one guarded statement with its audit row, so that two operators at once make one replay. */
import { sql } from "drizzle-orm";
import type { EventKey } from "../../core/event.ts";
import type { Operator } from "../../core/operators.ts";
import type { Tx } from "../guard.ts";
import { reopened } from "../reopening.ts";
import { auditEach } from "./write-audit.ts";

export interface ReplayedRow {
  readonly opening: number;
  readonly what: "event" | "after";
}

/**
 * A dead letter or a skipped event is opened again; of a completed one whose `after` was given up, the `after` alone. With `force` also a completed
 * event: its effect happens once more, by order. null: none of these.
 */
export async function replay(
  db: Tx,
  key: EventKey,
  order: { readonly operator: Operator; readonly force: boolean; readonly reason: string | null },
  nowMs: number,
): Promise<ReplayedRow | null> {
  const { operator, force, reason } = order;
  const rows = await db.execute<Readonly<Record<string, unknown>> & ReplayedRow>(sql`
    with held as materialized (
      select e.source, e.event_id, e.status = 'completed' as was_completed, e.status = 'completed' and not ${force}::boolean as after_alone
      from webhook_events e
      where e.source = ${key.source}::text
        and e.event_id = ${key.id}::text
        and e.body is not null
        and (e.status in ('failed', 'skipped') or (e.status = 'completed' and (e.after = 'failed' or (${force}::boolean and e.after <> 'owed'))))
      for update
    ),
    opened as (
      update webhook_events e
      set ${reopened(nowMs)}
      from held h
      where e.source = h.source
        and e.event_id = h.event_id
      returning e.source, e.event_id, e.opening, h.after_alone, h.was_completed and not h.after_alone as forced
    ),
    audited as (${auditEach(sql`opened`, operator.name, sql`case when c.forced then 'replay_forced' else 'replay' end`, { via: operator.via, reason })}
    )
    select o.opening::float8 as opening, case when o.after_alone then 'after' else 'event' end as what
    from opened o`);
  return rows[0] ?? null;
}
