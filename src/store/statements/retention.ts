/** Bytes and, only where an operator asked for it, rows that have served their time: in small chunks, never those of dead letters. */
import { sql } from "drizzle-orm";
import type { Tx } from "../guard.ts";
import { intervalMs } from "./keys.ts";

/** How many rows lost their bytes; the rows stay, and with them the memory that the event is done. */
export async function dropBytes(db: Tx, keptMs: number, limit: number): Promise<number> {
  const rows = await db.execute(sql`
    with old as (
      select e.source, e.event_id
      from webhook_events e
      where e.status in ('completed', 'skipped')
        and e.body is not null
        and e.settled_at < now() - ${intervalMs(keptMs)}
        and e.after in ('none', 'done')
      order by e.settled_at
      limit ${limit}::int
      for update skip locked
    )
    update webhook_events e
    set body = null
    from old
    where e.source = old.source
      and e.event_id = old.event_id
    returning e.source`);
  return rows.length;
}

/** Deletes settled rows and their attempts (LEDGER_KEEP_DAYS). An event that is delivered again after that runs again: off by default. */
export async function deleteRows(db: Tx, keepDays: number, limit: number): Promise<number> {
  const rows = await db.execute(sql`
    with old as (
      select e.source, e.event_id
      from webhook_events e
      where e.status in ('completed', 'skipped')
        and e.after in ('none', 'done')
        and e.settled_at < now() - ${keepDays}::float8 * interval '1 day'
      order by e.settled_at
      limit ${limit}::int
      for update skip locked
    ),
    attempts as (
      delete from webhook_attempts a
      using old
      where a.source = old.source
        and a.event_id = old.event_id
    )
    delete from webhook_events e
    using old
    where e.source = old.source
      and e.event_id = old.event_id
    returning e.source`);
  return rows.length;
}
