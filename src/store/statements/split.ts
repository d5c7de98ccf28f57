/**
 * One row for each event of the deliveries that are being split, in their transaction. Waits for no row that is there: whoever holds it is at work on it,
 * and the message that follows opens what he leaves as a dead letter. New rows come in the order of `rows`: one order for all consumers.
 */
import { sql } from "drizzle-orm";
import type { EventKey } from "../../core/event.ts";
import type { Tx } from "../guard.ts";

export interface ItemRow extends EventKey {
  readonly type: string;
  readonly occurredAtMs: number | null;
  readonly digest: string;
  readonly bytes: Uint8Array;
  readonly opening: number;
  /** Further deliveries that had it, and what they had under its id in other bytes. */
  readonly copies: number;
  readonly mismatches: number;
  readonly delivery: { readonly headers: Readonly<Record<string, string>>; readonly receivedAtMs: number };
}

export interface ItemSeen {
  /** Which of the rows. */
  readonly index: number;
  readonly fate: "added" | "reopened" | "pending" | "settled";
  /** The digest of the bytes that stand, where they are others; null: they are these. */
  readonly otherDigest: string | null;
}

/** Rows of one call have distinct keys; those that are not in the answer are somebody else's at the moment. */
export async function split(tx: Tx, rows: readonly ItemRow[]): Promise<ItemSeen[]> {
  const deliveries = [...new Set(rows.map((row) => row.delivery))];
  const items = rows.map((row, index) => ({
    n: index,
    source: row.source,
    event_id: row.id,
    type: row.type,
    opening: row.opening,
    copies: row.copies,
    mismatches: row.mismatches,
    digest: row.digest,
    occurred_ms: row.occurredAtMs,
    body: row.bytes.toBase64(),
    d: deliveries.indexOf(row.delivery),
  }));
  const origins = deliveries.map((delivery, d) => ({ d, headers: delivery.headers, received_ms: delivery.receivedAtMs }));
  return tx.execute<Readonly<Record<string, unknown>> & ItemSeen>(sql`
    with incoming as materialized (
      select i.n, i.source, i.event_id, i.type, i.opening, i.copies, i.mismatches, i.digest, d.headers,
        to_timestamp(d.received_ms / 1000) as received_at,
        to_timestamp(i.occurred_ms / 1000) as occurred_at,
        decode(i.body, 'base64') as body
      from jsonb_to_recordset(${JSON.stringify(items)}::text::jsonb) as i(
        n int, source text, event_id text, type text, opening bigint, copies int, mismatches int, digest text, occurred_ms float8, body text, d int)
      join jsonb_to_recordset(${JSON.stringify(origins)}::text::jsonb) as d(d int, headers jsonb, received_ms float8) on d.d = i.d
    ),
    held as materialized (
      select e.source, e.event_id, e.status, e.digest, e.status = 'failed' and e.opening < i.opening as reopens,
        e.body is null and (e.status = 'pending' or (e.status = 'failed' and e.opening < i.opening)) as takes_body
      from webhook_events e
      join incoming i on i.source = e.source and i.event_id = e.event_id
      order by e.source, e.event_id
      for update of e skip locked
    ),
    changed as (
      update webhook_events e
      set status = case when h.reopens then 'pending' else e.status end,
        reason = case when h.reopens then null else e.reason end,
        opening = case when h.reopens then i.opening else e.opening end,
        attempts = case when h.reopens then 0 else e.attempts end,
        starts = case when h.reopens then 0 else e.starts end,
        started_at = case when h.reopens then null else e.started_at end,
        settled_at = case when h.reopens then null else e.settled_at end,
        sent_at = case when h.reopens then now() else e.sent_at end,
        digest = case when h.takes_body then i.digest else e.digest end,
        body = case when h.takes_body then i.body else e.body end,
        duplicates = e.duplicates + i.copies + 1,
        mismatches = e.mismatches + i.mismatches + case when not h.takes_body and i.digest <> e.digest then 1 else 0 end
      from held h
      join incoming i on i.source = h.source and i.event_id = h.event_id
      where e.source = h.source
        and e.event_id = h.event_id
    ),
    added as (
      insert into webhook_events as e (source, event_id, type, status, opening, duplicates, mismatches, received_at, occurred_at, sent_at, digest, content_type, headers, body)
      select i.source, i.event_id, i.type, 'pending', i.opening, i.copies, i.mismatches, i.received_at, i.occurred_at, now(), i.digest, 'application/json', i.headers, i.body
      from incoming i
      where not exists (select from webhook_events x where x.source = i.source and x.event_id = i.event_id)
      order by i.n
      on conflict (source, event_id) do nothing
      returning e.source, e.event_id
    )
    select i.n as index, case when h.reopens then 'reopened' when h.status = 'pending' then 'pending' else 'settled' end as fate,
      case when not h.takes_body and i.digest <> h.digest then h.digest end as "otherDigest"
    from held h
    join incoming i on i.source = h.source and i.event_id = h.event_id
    union all
    select i.n, 'added', null
    from added a
    join incoming i on i.source = a.source and i.event_id = a.event_id`);
}
