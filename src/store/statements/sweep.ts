/** Rows that may have lost their message: pending ones, and an `after` that is owed. Oldest first; those at work are skipped. */
import { sql } from "drizzle-orm";
import type { EventFacts } from "../../core/event.ts";
import type { Tx } from "../guard.ts";
import { epochMs, intervalMs } from "./keys.ts";

export interface SweptRow extends EventFacts {
  readonly opening: number;
}

/**
 * Stamps `sent_at` and returns what to send. The wait since the last message doubles from one message to the next, between the two bounds:
 * it is as long as the row had been open when that message went out.
 */
export async function sweep(tx: Tx, ageMs: number, ageCapMs: number, limit: number): Promise<SweptRow[]> {
  return tx.execute<Readonly<Record<string, unknown>> & SweptRow>(sql`
    with due as (
      select e.source, e.event_id
      from webhook_events e
      where (e.status = 'pending' or e.after = 'owed')
        and e.sent_at < now() - ${intervalMs(ageMs)}
        and e.sent_at < now() - least(e.sent_at - to_timestamp(e.opening / 1000.0), ${intervalMs(ageCapMs)})
      order by e.sent_at
      limit ${limit}::int
      for update skip locked
    )
    update webhook_events e
    set sent_at = now()
    from due
    where e.source = due.source
      and e.event_id = due.event_id
    returning e.source, e.event_id as id, e.type, e.opening::float8 as opening, e.digest, e.content_type as "contentType", e.headers,
      coalesce(octet_length(e.body), 0) as "bytesLength",
      ${epochMs(sql`e.received_at`)} as "receivedAtMs",
      ${epochMs(sql`e.occurred_at`)} as "occurredAtMs"`);
}
