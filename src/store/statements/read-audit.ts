/** What operators did with one event, oldest first: of many the newest. */
import { sql } from "drizzle-orm";
import type { EventKey } from "../../core/event.ts";
import type { AuditEntry } from "../../core/operators.ts";
import type { Tx } from "../guard.ts";
import { epochMs } from "./keys.ts";

export async function readAudit(db: Tx, key: EventKey, limit: number): Promise<AuditEntry[]> {
  return db.execute<Readonly<Record<string, unknown>> & AuditEntry>(sql`
    with newest as (
      select a.*
      from webhook_audit a
      where a.source = ${key.source}::text
        and a.event_id = ${key.id}::text
      order by a.id desc
      limit ${limit}::int
    )
    select n.id::float8 as id, ${epochMs(sql`n.at`)} as "atMs", n.actor, n.action, n.source, n.event_id as "eventId", n.details
    from newest n
    order by n.id`);
}
