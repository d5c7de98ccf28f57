/** What operators did, newest first: a page of entries older than `beforeId`. */
import { sql } from "drizzle-orm";
import type { AuditEntry } from "../../core/operators.ts";
import type { Tx } from "../guard.ts";
import { epochMs } from "./keys.ts";

export async function listAudit(db: Tx, beforeId: number | null, limit: number): Promise<AuditEntry[]> {
  return db.execute<Readonly<Record<string, unknown>> & AuditEntry>(sql`
    select a.id::float8 as id, ${epochMs(sql`a.at`)} as "atMs", a.actor, a.action, a.source, a.event_id as "eventId", a.details
    from webhook_audit a
    where ${beforeId === null ? sql`true` : sql`a.id < ${beforeId}::bigint`}
    order by a.id desc
    limit ${limit}::int`);
}
