/** The three writes around an `after`: begun (counted first, so that a crash counts too), done, failed. */
import { sql } from "drizzle-orm";
import type { EventKey } from "../../core/event.ts";
import { fingerprintOf } from "../fingerprint.ts";
import type { Tx } from "../guard.ts";
import { epochMs, intervalMs } from "./keys.ts";
import type { LockedRow } from "./lock.ts";

export interface OwedAfter extends Omit<LockedRow, "status" | "after" | "dueInMs" | "replays"> {
  readonly result: unknown;
  readonly afterAttempts: number;
}

/** Takes the lease on an owed `after`; null: done, given up, or a copy is at it. */
export async function beginAfter(db: Tx, key: EventKey, leaseMs: number): Promise<OwedAfter | null> {
  const rows = await db.execute<Readonly<Record<string, unknown>> & OwedAfter>(sql`
    update webhook_events e
    set after_attempts = e.after_attempts + 1,
      started_at = now()
    where e.source = ${key.source}::text
      and e.event_id = ${key.id}::text
      and e.status = 'completed'
      and e.after = 'owed'
      and (e.started_at is null or e.started_at < now() - ${intervalMs(leaseMs)})
    returning e.source, e.event_id as id, e.type, e.opening::float8 as opening, e.attempts, e.headers, e.digest, e.content_type as "contentType", e.body,
      ${epochMs(sql`e.received_at`)} as "receivedAtMs",
      ${epochMs(sql`e.occurred_at`)} as "occurredAtMs",
      e.after_result as result, e.after_attempts as "afterAttempts"`);
  return rows[0] ?? null;
}

export async function endAfter(db: Tx, key: EventKey): Promise<void> {
  await db.execute(sql`
    update webhook_events e
    set after = 'done',
      after_result = null,
      started_at = null,
      last_error = null,
      fingerprint = null
    where e.source = ${key.source}::text
      and e.event_id = ${key.id}::text
      and e.after = 'owed'`);
}

export interface AfterFailure extends EventKey {
  readonly opening: number;
  readonly class: string;
  readonly message: string;
  readonly stack: string | null;
  readonly dead: boolean;
  readonly delayMs: number;
}

/** The event stays completed; only its `after` is given up when `dead`. */
export async function failAfter(db: Tx, failure: AfterFailure): Promise<void> {
  await db.execute(sql`
    with counted as (
      update webhook_events e
      set after = case when ${failure.dead}::boolean then 'failed' else 'owed' end,
        started_at = null,
        sent_at = now() + ${intervalMs(failure.delayMs)},
        last_error = ${failure.message}::text,
        fingerprint = ${fingerprintOf(sql`e.source`, sql`e.type`, { ...failure, sqlstate: null })}
      where e.source = ${failure.source}::text
        and e.event_id = ${failure.id}::text
        and e.after = 'owed'
      returning e.source, e.event_id
    )
    insert into webhook_attempts (source, event_id, opening, class, phase, message, stack)
    select c.source, c.event_id, ${failure.opening}::bigint, ${failure.class}::text, 'after', ${failure.message}::text, ${failure.stack}::text
    from counted c`);
}
