/**
 * Step 1 of a batch: every event has a committed row before anything is locked, since `for update` locks nothing where no row is.
 * Opens, re-opens and completes rows; says what it found. Rows that another consumer holds are left out, so that they hold up nobody
 * (docs/decisions/004): they are asked again alone, with `wait`.
 */
import { sql } from "drizzle-orm";
import type { EventFacts, EventKey } from "../../core/event.ts";
import { EARLY_TOLERANCE_MS, type RowSeen } from "../../core/settlement.ts";
import type { Tx } from "../guard.ts";

export interface RecordRow {
  readonly facts: EventFacts;
  readonly opening: number;
  readonly duplicates: number;
  readonly mismatches: number;
  readonly bytes: Uint8Array | null;
}

export interface RecordedRow extends RowSeen, EventKey {
  readonly opening: number;
  readonly attempts: number;
  /** The row was `failed` and this message opened it again. */
  readonly reopened: boolean;
}

/** A newer opening re-opens a dead letter; a stale copy of an old message does not. */
const REOPENS = sql`(h.status = 'failed' and h.opening < i.opening)`;
const TAKES_BODY = sql`(h.body_bytes is null and i.body is not null and (h.status = 'pending' or ${REOPENS}))`;
/** A copy that comes before the row's next attempt is due starts nothing. */
const IS_DUE = sql`h.sent_at <= now() + ${EARLY_TOLERANCE_MS}::float8 * interval '1 millisecond'`;
const MISMATCHES = sql`greatest(e.mismatches, i.mismatches, case when not ${TAKES_BODY} and i.digest <> e.digest then 1 else 0 end)`;

/** Rows of one call have distinct keys; keys not in the answer are held by somebody else. Large bodies come one at a time. */
export async function record(db: Tx, rows: readonly RecordRow[], rowsHeldElsewhere: "skip" | "wait"): Promise<RecordedRow[]> {
  const incoming = JSON.stringify(rows.map(toJson));
  return db.execute<Readonly<Record<string, unknown>> & RecordedRow>(sql`
    with incoming as materialized (
      select r.source, r.event_id, r.type, r.opening, r.duplicates, r.mismatches, r.digest, r.content_type, r.headers,
        to_timestamp(r.received_ms / 1000) as received_at,
        to_timestamp(r.occurred_ms / 1000) as occurred_at,
        decode(r.body, 'base64') as body
      from jsonb_to_recordset(${incoming}::text::jsonb) as r(
        source text, event_id text, type text, opening bigint, duplicates int, mismatches int, digest text, content_type text,
        headers jsonb, received_ms float8, occurred_ms float8, body text)
    ),
    held as materialized (
      select e.source, e.event_id, e.status, e.opening, e.attempts, e.starts, e.after, e.sent_at, octet_length(e.body) as body_bytes
      from webhook_events e
      where (e.source, e.event_id) in (select i.source, i.event_id from incoming i)
      order by e.source, e.event_id
      for update of e ${rowsHeldElsewhere === "skip" ? sql`skip locked` : sql``}
    ),
    changed as (
      update webhook_events e
      set status = case when ${REOPENS} then 'pending' else e.status end,
        reason = case when ${REOPENS} then null else e.reason end,
        opening = case when ${REOPENS} then i.opening else e.opening end,
        attempts = case when ${REOPENS} then 0 else e.attempts end,
        starts = case when ${REOPENS} then 1 when h.status = 'pending' and ${IS_DUE} then greatest(e.starts, 1) else e.starts end,
        started_at = case when ${REOPENS} then null else e.started_at end,
        settled_at = case when ${REOPENS} then null else e.settled_at end,
        sent_at = case when ${REOPENS} then now() else e.sent_at end,
        digest = case when ${TAKES_BODY} then i.digest else e.digest end,
        body = case when ${TAKES_BODY} then i.body else e.body end,
        duplicates = greatest(e.duplicates, i.duplicates),
        mismatches = ${MISMATCHES}
      from held h
      join incoming i on i.source = h.source and i.event_id = h.event_id
      where e.source = h.source
        and e.event_id = h.event_id
        and (h.status = 'pending' or ${REOPENS} or i.duplicates > e.duplicates or ${MISMATCHES} > e.mismatches)
      returning e.source, e.event_id, e.status, e.opening, e.attempts, octet_length(e.body) as body_bytes, e.sent_at, ${REOPENS} as reopened
    ),
    added as (
      insert into webhook_events as e (source, event_id, type, status, opening, starts, duplicates, mismatches, received_at, occurred_at, sent_at, digest, content_type, headers, body)
      select i.source, i.event_id, i.type, 'pending', i.opening, 1, i.duplicates, i.mismatches, i.received_at, i.occurred_at, now(), i.digest, i.content_type, i.headers, i.body
      from incoming i
      where not exists (select from webhook_events x where x.source = i.source and x.event_id = i.event_id)
      order by i.source, i.event_id
      on conflict (source, event_id) do nothing
      returning e.source, e.event_id, e.opening, octet_length(e.body) as body_bytes
    )
    select h.source, h.event_id as id, coalesce(c.status, h.status) as status, coalesce(c.opening, h.opening)::float8 as opening,
      coalesce(c.attempts, h.attempts) as attempts, h.after,
      case when coalesce(c.reopened, false) then 0 else h.starts end as "unfinishedStarts",
      coalesce(c.body_bytes, h.body_bytes) as "bodyBytes",
      (extract(epoch from coalesce(c.sent_at, h.sent_at) - now()) * 1000)::float8 as "dueInMs",
      coalesce(c.reopened, false) as reopened
    from held h
    left join changed c on c.source = h.source and c.event_id = h.event_id
    union all
    select a.source, a.event_id, 'pending', a.opening::float8, 0, 'none', 0, a.body_bytes, 0, false
    from added a`);
}

function toJson(row: RecordRow): Readonly<Record<string, unknown>> {
  const { facts } = row;
  return {
    source: facts.source,
    event_id: facts.id,
    type: facts.type,
    opening: row.opening,
    duplicates: row.duplicates,
    mismatches: row.mismatches,
    digest: facts.digest,
    content_type: facts.contentType,
    headers: facts.headers,
    received_ms: facts.receivedAtMs,
    occurred_ms: facts.occurredAtMs,
    body: row.bytes === null ? null : base64(row.bytes),
  };
}

/** 1.33 bytes a byte, where a bytea parameter would be hex text: 2 (PLATFORM 11.2). */
function base64(bytes: Uint8Array): string {
  return bytes.toBase64();
}
