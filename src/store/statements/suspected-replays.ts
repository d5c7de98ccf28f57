/** Events that have the bytes of another one of their source: where the signature does not cover the id, a captured request can come again as a new event. */
import { sql } from "drizzle-orm";
import type { EventKey } from "../../core/event.ts";
import type { Tx } from "../guard.ts";
import { intervalMs, keyRows } from "./keys.ts";

export interface SuspectedReplay extends EventKey {
  /** The id that the same bytes came under before. */
  readonly of: string;
}

/**
 * For rows that the caller has locked. Of two that came within the window the later is the copy; where the later was quicker and has ended as the
 * original, the earlier is. So one of two is the copy whichever way round they run, unless they run at the same moment and the later began first.
 */
export async function findSuspectedReplays(tx: Tx, keys: readonly EventKey[], windowMs: number): Promise<SuspectedReplay[]> {
  return tx.execute<Readonly<Record<string, unknown>> & SuspectedReplay>(sql`
    select e.source, e.event_id as id, other.event_id as of
    from webhook_events e
    cross join lateral (
      select o.event_id
      from webhook_events o
      where o.source = e.source
        and o.digest = e.digest
        and o.event_id <> e.event_id
        and o.received_at >= e.received_at - ${intervalMs(windowMs)}
        and o.received_at <= e.received_at + ${intervalMs(windowMs)}
        and ((o.received_at, o.event_id) < (e.received_at, e.event_id)
          or (o.status in ('completed', 'skipped', 'failed') and o.suspected_replay_of is null))
      order by o.received_at, o.event_id
      limit 1
    ) other
    where (e.source, e.event_id) in (select k.source, k.event_id from ${keyRows(keys)})`);
}
