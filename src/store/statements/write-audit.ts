/** Who ordered what: one row for each change. An order writes it in the statement that makes the change; this one is for what changes no row. */
import { type SQL, sql } from "drizzle-orm";
import type { EventKey } from "../../core/event.ts";
import type { AuditAction, Operator } from "../../core/operators.ts";
import type { Tx } from "../guard.ts";

export type AuditDetails = Readonly<Record<string, unknown>>;

/** A row for each row of `changed` (source, event_id). `action`: an expression over it as `c`. */
export function auditEach(changed: SQL, actor: string, action: SQL, details: AuditDetails): SQL {
  return sql`
      insert into webhook_audit (actor, action, source, event_id, details)
      select ${actor}::text, ${action}, c.source, c.event_id, ${JSON.stringify(details)}::text::jsonb
      from ${changed} c`;
}

export async function writeAudit(db: Tx, operator: Operator, action: AuditAction, key: Partial<EventKey>, details: AuditDetails): Promise<void> {
  await db.execute(sql`
    insert into webhook_audit (actor, action, source, event_id, details)
    values (${operator.name}::text, ${action}::text, ${key.source ?? null}::text, ${key.id ?? null}::text, ${JSON.stringify({ via: operator.via, ...details })}::text::jsonb)`);
}
