/** An operator's order to let a dead letter rest: it is skipped, with the reason, and may still be replayed. A given-up `after` is let go for good. */
import { sql } from "drizzle-orm";
import type { EventKey } from "../../core/event.ts";
import type { Operator } from "../../core/operators.ts";
import type { Tx } from "../guard.ts";
import { auditEach } from "./write-audit.ts";

export interface DiscardedRow {
  readonly what: "event" | "after";
}

/** null: it is no dead letter, and its `after` was not given up. What is known of the failure stays. */
export async function discard(db: Tx, key: EventKey, order: { readonly operator: Operator; readonly reason: string }): Promise<DiscardedRow | null> {
  const { operator, reason } = order;
  const rows = await db.execute<Readonly<Record<string, unknown>> & DiscardedRow>(sql`
    with discarded as (
      update webhook_events e
      set status = case when e.status = 'completed' then e.status else 'skipped' end,
        reason = case when e.status = 'completed' then 'after discarded: ' else 'discarded: ' end || ${reason}::text,
        settled_at = case when e.status = 'completed' then e.settled_at else now() end,
        after = 'none',
        after_result = null
      where e.source = ${key.source}::text
        and e.event_id = ${key.id}::text
        and (e.status = 'failed' or (e.status = 'completed' and e.after = 'failed'))
      returning e.source, e.event_id, e.status
    ),
    audited as (${auditEach(sql`discarded`, operator.name, sql`'discard'`, { via: operator.via, reason })}
    )
    select case when d.status = 'completed' then 'after' else 'event' end as what
    from discarded d`);
  return rows[0] ?? null;
}
