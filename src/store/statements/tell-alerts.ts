/** Which alerts have to be told: taken for a while by one run, marked once the receiver took the message. Told at least once. */
import { sql } from "drizzle-orm";
import type { Alert } from "../../core/alerts.ts";
import type { Tx } from "../guard.ts";
import { intervalMs } from "./keys.ts";

export interface Untold {
  readonly details: Alert;
  readonly isOver: boolean;
  readonly isKnown: boolean;
}

/** Oldest first. What was over long ago is no news to a receiver that is set, or back, only now. */
export async function takeUntold(db: Tx, leaseMs: number, closedWithinMs: number): Promise<Untold[]> {
  return db.execute<Readonly<Record<string, unknown>> & Untold>(sql`
    with taken as (
      update webhook_alerts a
      set leased_until = now() + ${intervalMs(leaseMs)}
      where (a.told_at is null or (a.closed_at is not null and a.close_told_at is null))
        and (a.closed_at is null or a.closed_at > now() - ${intervalMs(closedWithinMs)})
        and (a.leased_until is null or a.leased_until < now())
      returning a.*
    )
    select t.details, t.closed_at is not null as "isOver", t.told_at is not null as "isKnown"
    from taken t
    order by t.opened_at, t.kind, t.key`);
}

/** What closed while the message was under way is told next time: only what was said is marked. */
export async function markTold(db: Tx, told: readonly Untold[]): Promise<void> {
  const list = JSON.stringify(told.map(({ details, isOver }) => ({ kind: details.kind, key: details.key, over: isOver })));
  await db.execute(sql`
    update webhook_alerts a
    set told_at = coalesce(a.told_at, now()), close_told_at = case when t.over then now() else a.close_told_at end, leased_until = null
    from jsonb_to_recordset(${list}::text::jsonb) as t(kind text, key text, over boolean)
    where a.kind = t.kind
      and a.key = t.key`);
}

/** The receiver did not take it: the next run tells again. */
export async function giveBackUntold(db: Tx, untold: readonly Untold[]): Promise<void> {
  const list = JSON.stringify(untold.map(({ details }) => ({ kind: details.kind, key: details.key })));
  await db.execute(sql`
    update webhook_alerts a
    set leased_until = null
    from jsonb_to_recordset(${list}::text::jsonb) as t(kind text, key text)
    where a.kind = t.kind
      and a.key = t.key`);
}
