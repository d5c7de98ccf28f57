/** Secrets that providers sent to sources that had none: kept few and briefly, since whoever knows the URL can post one. */
import { sql } from "drizzle-orm";
import { HANDSHAKES_LIMIT } from "../../core/limits.ts";
import type { Tx } from "../guard.ts";
import { epochMs, intervalMs } from "./keys.ts";

export interface HandshakeRow {
  readonly secret: string;
  readonly receivedAtMs: number;
}

/**
 * How many others are kept beside it; null: it is not kept, since there are too many that came within `heldMs`. None of those is ever pushed out: who
 * floods keeps others from coming in, which they are told, and does not take away what was acknowledged. Then the oldest go. Senders at the same moment may
 * be over the limit by their number. The same secret again is one row, and the newest. `secret`: 1 to 2,048 bytes without NUL, else Postgres refuses.
 */
export async function keepHandshake(db: Tx, source: string, secret: string, heldMs: number): Promise<{ readonly others: number } | null> {
  const [row] = await db.execute<{ readonly others: number }>(sql`
    with held as (
      select
        h.source,
        h.secret,
        h.received_at,
        row_number() over (order by h.received_at desc, h.secret) as place,
        h.received_at >= clock_timestamp() - ${intervalMs(heldMs)} as stays
      from webhook_handshakes h
      where h.source = ${source}::text
        and h.secret <> ${secret}::text
    ),
    mine as (
      select h.source, h.secret
      from webhook_handshakes h
      join held on held.source = h.source and held.secret = h.secret
      where held.place >= ${HANDSHAKES_LIMIT}::int
        and not held.stays
      for update of h skip locked
    ),
    dropped as (
      delete from webhook_handshakes h
      using mine
      where h.source = mine.source
        and h.secret = mine.secret
    )
    insert into webhook_handshakes as h (source, secret, received_at)
    select ${source}::text, ${secret}::text, greatest(clock_timestamp(), max(held.received_at) + interval '1 millisecond')
    from held
    having count(*) filter (where held.stays or held.place < ${HANDSHAKES_LIMIT}::int) < ${HANDSHAKES_LIMIT}::int
    on conflict (source, secret) do update
    set received_at = excluded.received_at
    returning (select count(*)::int from held) - (select count(*)::int from mine) as others`);
  return row ?? null;
}

/** Newest first. */
export async function readHandshakes(db: Tx, source: string): Promise<HandshakeRow[]> {
  return db.execute<Readonly<Record<string, unknown>> & HandshakeRow>(sql`
    select h.secret, ${epochMs(sql`h.received_at`)} as "receivedAtMs"
    from webhook_handshakes h
    where h.source = ${source}::text
    order by h.received_at desc, h.secret`);
}

export async function dropHandshakes(db: Tx, keptMs: number): Promise<void> {
  await db.execute(sql`
    delete from webhook_handshakes h
    where h.received_at < now() - ${intervalMs(keptMs)}`);
}
