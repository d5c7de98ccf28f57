/** Secrets that providers sent to sources that had none: kept few and briefly, since whoever knows the URL can post one. */
import { sql } from "drizzle-orm";
import { HANDSHAKES_LIMIT } from "../../core/limits.ts";
import type { Tx } from "../guard.ts";
import { epochMs, intervalMs } from "./keys.ts";

export interface HandshakeRow {
  readonly secret: string;
  readonly receivedAtMs: number;
}

/** The newest of a source stay. The same secret again is one row, and the newest. `secret`: 1 to 2,048 bytes without NUL, else Postgres refuses. */
export async function keepHandshake(db: Tx, source: string, secret: string): Promise<void> {
  await db.execute(sql`
    with older as (
      select h.source, h.secret
      from webhook_handshakes h
      where h.source = ${source}::text
        and h.secret <> ${secret}::text
      order by h.received_at desc, h.secret
      offset ${HANDSHAKES_LIMIT - 1}::int
    ),
    mine as (
      select h.source, h.secret
      from webhook_handshakes h
      join older on older.source = h.source and older.secret = h.secret
      for update of h skip locked
    ),
    dropped as (
      delete from webhook_handshakes h
      using mine
      where h.source = mine.source
        and h.secret = mine.secret
    )
    insert into webhook_handshakes as h (source, secret, received_at)
    select ${source}::text, ${secret}::text, greatest(clock_timestamp(), max(x.received_at) + interval '1 millisecond')
    from webhook_handshakes x
    where x.source = ${source}::text
    on conflict (source, secret) do update
    set received_at = excluded.received_at`);
}

/** Newest first. */
export async function readHandshakes(db: Tx, source: string): Promise<HandshakeRow[]> {
  return db.execute<Readonly<Record<string, unknown>> & HandshakeRow>(sql`
    select h.secret, ${epochMs(sql`h.received_at`)} as "receivedAtMs"
    from webhook_handshakes h
    where h.source = ${source}::text
    order by h.received_at desc, h.secret
    limit ${HANDSHAKES_LIMIT}::int`);
}

export async function dropHandshakes(db: Tx, keptMs: number): Promise<void> {
  await db.execute(sql`
    delete from webhook_handshakes h
    where h.received_at < now() - ${intervalMs(keptMs)}`);
}
