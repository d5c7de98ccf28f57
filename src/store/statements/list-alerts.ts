/** Alerts that are open, and those that were closed lately, newest first. Old closed ones are dropped by the cron. */
import { sql } from "drizzle-orm";
import type { Alert } from "../../core/alerts.ts";
import type { AlertView } from "../../core/operators.ts";
import type { Tx } from "../guard.ts";
import { epochMs, intervalMs } from "./keys.ts";

export async function listAlerts(db: Tx, closedWithinMs: number, limit: number): Promise<AlertView[]> {
  return db.execute<Readonly<Record<string, unknown>> & AlertView & { readonly alert: Alert }>(sql`
    select a.details as alert,
      ${epochMs(sql`a.opened_at`)} as "openedAtMs",
      ${epochMs(sql`a.closed_at`)} as "closedAtMs",
      ${epochMs(sql`a.told_at`)} as "toldAtMs"
    from webhook_alerts a
    where a.closed_at is null or a.closed_at > now() - ${intervalMs(closedWithinMs)}
    order by a.closed_at is not null, a.opened_at desc, a.kind, a.key
    limit ${limit}::int`);
}

export async function countOpenAlerts(db: Tx): Promise<number> {
  const rows = await db.execute<{ readonly open: number }>(sql`
    select count(*)::int as open
    from webhook_alerts a
    where a.closed_at is null`);
  return rows[0]?.open ?? 0;
}

export async function dropClosedAlerts(db: Tx, keptMs: number, limit: number): Promise<number> {
  const rows = await db.execute(sql`
    delete from webhook_alerts a
    where (a.kind, a.key) in (
      select o.kind, o.key
      from webhook_alerts o
      where o.closed_at < now() - ${intervalMs(keptMs)}
      limit ${limit}::int
    )
    returning a.kind`);
  return rows.length;
}
