/** A body too large for a message: written alone, once, before its handler runs. */
import { sql } from "drizzle-orm";
import type { EventKey } from "../../core/event.ts";
import type { Tx } from "../guard.ts";

/** First write wins; a settled row takes none. Base64 through `decode`: the least memory of what was measured (PLATFORM 11.2). */
export async function storeBody(db: Tx, key: EventKey, body: { readonly digest: string; readonly bytes: Uint8Array }): Promise<void> {
  await db.execute(sql`
    update webhook_events e
    set body = decode(${body.bytes.toBase64()}::text, 'base64'),
      digest = ${body.digest}::text
    where e.source = ${key.source}::text
      and e.event_id = ${key.id}::text
      and e.status = 'pending'
      and e.body is null`);
}
