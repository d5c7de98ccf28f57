/** What is seen now, compared with what is open: what is new is opened, what is gone is closed, in one statement, so that two runs do not both. */
import { sql } from "drizzle-orm";
import type { Alert, AlertKind } from "../../core/alerts.ts";
import type { Tx } from "../guard.ts";

export interface AlertChange {
  readonly details: Alert;
  readonly isOver: boolean;
}

/** `kinds`: those that were looked at; of others nothing is closed. An alert that comes back before its end was told goes on for whoever was told. */
export async function noteAlerts(db: Tx, kinds: readonly AlertKind[], seen: readonly Alert[]): Promise<AlertChange[]> {
  const list = JSON.stringify(seen.map((alert) => ({ kind: alert.kind, key: alert.key, details: alert })));
  return db.execute<Readonly<Record<string, unknown>> & AlertChange>(sql`
    with seen as materialized (
      select s.kind, s.key, s.details
      from jsonb_to_recordset(${list}::text::jsonb) as s(kind text, key text, details jsonb)
    ),
    opened as (
      insert into webhook_alerts as a (kind, key, opened_at, details)
      select s.kind, s.key, now(), s.details
      from seen s
      order by s.kind, s.key
      on conflict (kind, key) do update
      set opened_at = now(), closed_at = null, details = excluded.details,
        told_at = case when a.close_told_at is null then a.told_at end,
        close_told_at = null
      where a.closed_at is not null
      returning a.details
    ),
    closed as (
      update webhook_alerts a
      set closed_at = now()
      where a.closed_at is null
        and a.kind in (select jsonb_array_elements_text(${JSON.stringify(kinds)}::text::jsonb))
        and not exists (select from seen s where s.kind = a.kind and s.key = a.key)
      returning a.details
    )
    select o.details, false as "isOver"
    from opened o
    union all
    select c.details, true as "isOver"
    from closed c`);
}
