/** An event's bytes as they were verified, from the beginning; null: none are kept, or there is no such event. */
import { sql } from "drizzle-orm";
import type { EventKey } from "../../core/event.ts";
import type { Tx } from "../guard.ts";

export async function readBody(db: Tx, key: EventKey, limitBytes: number): Promise<Uint8Array | null> {
  const rows = await db.execute<{ readonly bytes: Uint8Array | null }>(sql`
    select substring(e.body from 1 for ${limitBytes}::int) as bytes
    from webhook_events e
    where e.source = ${key.source}::text
      and e.event_id = ${key.id}::text`);
  return rows[0]?.bytes ?? null;
}
