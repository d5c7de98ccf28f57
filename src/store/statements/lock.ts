/** The row lock: from here to the commit, these events are nobody else's. */
import { sql } from "drizzle-orm";
import type { EventKey } from "../../core/event.ts";
import type { AfterStatus, EventStatus } from "../../core/settlement.ts";
import type { Tx } from "../guard.ts";
import { epochMs, keyRows } from "./keys.ts";

export interface LockedRow extends EventKey {
  readonly type: string;
  readonly status: EventStatus;
  readonly after: AfterStatus;
  readonly opening: number;
  readonly attempts: number;
  readonly replays: number;
  readonly receivedAtMs: number;
  readonly occurredAtMs: number | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly digest: string;
  /** As in RowSeen, read under the lock: another run may have failed since it was recorded. */
  readonly dueInMs: number;
  /** The bytes that the handler gets: the row's, whatever the message carries. */
  readonly body: Uint8Array | null;
}

/** In key order, everywhere the same, so that two consumers cannot wait for each other. `wait` is bounded by the transaction's lock_timeout. */
export async function lock(tx: Tx, keys: readonly EventKey[], rowsHeldElsewhere: "skip" | "wait"): Promise<LockedRow[]> {
  return tx.execute<Readonly<Record<string, unknown>> & LockedRow>(sql`
    select e.source, e.event_id as id, e.type, e.status, e.after, e.opening::float8 as opening, e.attempts, e.replays, e.headers, e.digest,
      e.content_type as "contentType", e.body, (extract(epoch from e.sent_at - clock_timestamp()) * 1000)::float8 as "dueInMs",
      ${epochMs(sql`e.received_at`)} as "receivedAtMs",
      ${epochMs(sql`e.occurred_at`)} as "occurredAtMs"
    from webhook_events e
    where (e.source, e.event_id) in (select k.source, k.event_id from ${keyRows(keys)})
    order by e.source, e.event_id
    for update of e ${rowsHeldElsewhere === "skip" ? sql`skip locked` : sql``}`);
}
