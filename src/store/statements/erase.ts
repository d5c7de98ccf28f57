/** A privacy request: everything that an event's payload can have left in the ledger goes. The row stays, so that a late delivery does not run again. */
import { sql } from "drizzle-orm";
import type { EventKey } from "../../core/event.ts";
import type { Operator } from "../../core/operators.ts";
import type { Tx } from "../guard.ts";
import { auditEach, type AuditDetails } from "./write-audit.ts";

export interface ErasedRow {
  readonly opening: number;
  /** The id of the delivery that brought it with others (split): its row has these bytes too. */
  readonly delivery: string | null;
}

/** null: there is no such row, or it is open for work. Errors and reasons go too, since handlers quote payloads; the digest and the fingerprint stay. */
export async function erase(db: Tx, key: EventKey, operator: Operator, details: AuditDetails): Promise<ErasedRow | null> {
  const rows = await db.execute<Readonly<Record<string, unknown>> & ErasedRow>(sql`
    with held as materialized (
      select e.source, e.event_id, e.headers ->> 'holdfast-delivery' as delivery
      from webhook_events e
      where e.source = ${key.source}::text
        and e.event_id = ${key.id}::text
        and e.status <> 'pending'
        and e.after <> 'owed'
      for update
    ),
    erased as (
      update webhook_events e
      set status = case when e.status = 'failed' then 'skipped' else e.status end,
        reason = case when e.status = 'completed' then e.reason else 'erased' end,
        settled_at = case when e.status = 'failed' then now() else e.settled_at end,
        after = case when e.after = 'failed' then 'none' else e.after end,
        after_result = null,
        last_error = null,
        headers = '{}'::jsonb,
        body = null
      from held h
      where e.source = h.source
        and e.event_id = h.event_id
      returning e.source, e.event_id, e.opening, h.delivery
    ),
    forgotten as (
      update webhook_attempts a
      set message = '',
        stack = null
      from erased c
      where a.source = c.source
        and a.event_id = c.event_id
    ),
    audited as (${auditEach(sql`erased`, operator.name, sql`'erase'`, { via: operator.via, ...details })}
    )
    select c.opening::float8 as opening, c.delivery
    from erased c`);
  return rows[0] ?? null;
}
