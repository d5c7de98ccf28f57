/** The direct path of a body too large for a message: its row is written by ingest, so that the bytes are durable before the answer. */
import { sql } from "drizzle-orm";
import type { EventFacts } from "../../core/event.ts";
import type { Tx } from "../guard.ts";

/**
 * A pending row with bytes. A row that has bytes, or is done, stays as it is and is not even waited for (a consumer may hold it);
 * one without bytes takes these. The message that follows opens a dead letter again: false where only that would.
 */
export async function admit(db: Tx, facts: EventFacts, opening: number, bytes: Uint8Array): Promise<boolean> {
  const rows = await db.execute<{ isDead: boolean }>(sql`
    with admitted as (insert into webhook_events as e (source, event_id, type, status, opening, received_at, occurred_at, sent_at, digest, content_type, headers, body)
    select ${facts.source}::text, ${facts.id}::text, ${facts.type}::text, 'pending', ${opening}::bigint, to_timestamp(${facts.receivedAtMs}::float8 / 1000),
      to_timestamp(${facts.occurredAtMs}::float8 / 1000), now(), ${facts.digest}::text, ${facts.contentType}::text, ${JSON.stringify(facts.headers)}::text::jsonb,
      decode(${bytes.toBase64()}::text, 'base64')
    where not exists (
      select from webhook_events x
      where x.source = ${facts.source}::text
        and x.event_id = ${facts.id}::text
        and (x.body is not null or x.status in ('completed', 'skipped'))
    )
    on conflict (source, event_id) do update
    set body = excluded.body,
      digest = excluded.digest
    where e.body is null
      and e.status in ('pending', 'failed')
    returning e.status)
    select coalesce((select a.status from admitted a), (
      select x.status from webhook_events x where x.source = ${facts.source}::text and x.event_id = ${facts.id}::text
    )) = 'failed' as "isDead"`);
  return rows[0]?.isDead !== true;
}
