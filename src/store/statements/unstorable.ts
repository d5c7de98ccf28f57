/** A row that the record statement cannot take: the least that can be kept of it, as a dead letter, so that it is not lost in silence. */
import { sql } from "drizzle-orm";
import type { EventFacts } from "../../core/event.ts";
import { fingerprintOf } from "../fingerprint.ts";
import type { Tx } from "../guard.ts";

/** Whether it was written: a row that is there, or another consumer's, stands. */
export async function recordUnstorable(
  db: Tx,
  facts: EventFacts,
  opening: number,
  bytes: Uint8Array | null,
  failure: { readonly message: string; readonly sqlstate: string | null },
): Promise<boolean> {
  const rows = await db.execute(sql`
    insert into webhook_events as e (source, event_id, type, status, reason, opening, received_at, settled_at, sent_at, digest, content_type, headers, body, last_error, fingerprint)
    values (${facts.source}::text, ${facts.id}::text, 'unknown', 'failed', 'unstorable', ${opening}::bigint, now(), now(), now(), ${facts.digest}::text, '', '{}'::jsonb,
      decode(${bytes === null ? null : bytes.toBase64()}::text, 'base64'), ${failure.message}::text,
      ${fingerprintOf(sql`${facts.source}::text`, sql`'unknown'`, { ...failure, class: "permanent" })})
    on conflict (source, event_id) do nothing
    returning e.source`);
  return rows.length > 0;
}
