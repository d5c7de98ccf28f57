/** One step of a group replay, and its end. Whoever opens rows holds the run's row: a cancelled run opens nothing, two steps at once open no row twice. */
import { sql } from "drizzle-orm";
import type { EventFacts } from "../../core/event.ts";
import type { EventFilter } from "../../core/operators.ts";
import type { Tx } from "../guard.ts";
import { reopened } from "../reopening.ts";
import { isPermanent, replayable } from "../replayable.ts";
import { epochMs } from "./keys.ts";

export interface RunHeld {
  readonly actor: string;
  readonly filter: EventFilter;
  readonly withPermanent: boolean;
  readonly ratePerSecond: number;
  /** Rows that it may still open. */
  readonly left: number;
  readonly opening: number;
}

/** Held until the transaction's end; null: it does not run, or is not there. */
export async function holdRun(tx: Tx, id: string): Promise<RunHeld | null> {
  const rows = await tx.execute<Readonly<Record<string, unknown>> & RunHeld>(sql`
    select r.actor, r.filter, r.with_permanent as "withPermanent", r.rate_per_second as "ratePerSecond", r.row_limit - r.replayed as left,
      r.opening::float8 as opening
    from webhook_replays r
    where r.id = ${id}::text
      and r.status = 'running'
    for update`);
  return rows[0] ?? null;
}

export type OpenedRow = EventFacts & { readonly opening: number };

/** Oldest first; a row that somebody else holds has its turn in the next step. Each with its audit row, all counted on the run. */
export async function openSome(tx: Tx, id: string, run: RunHeld, rows: number, nowMs: number): Promise<OpenedRow[]> {
  return tx.execute<Readonly<Record<string, unknown>> & OpenedRow>(sql`
    with held as materialized (
      select e.source, e.event_id, e.status = 'completed' as after_alone
      from webhook_events e
      where ${wanted(run)}
      order by e.received_at, e.source, e.event_id
      limit ${rows}::int
      for update skip locked
    ),
    opened as (
      update webhook_events e
      set ${reopened(Math.max(nowMs, run.opening))}
      from held h
      where e.source = h.source
        and e.event_id = h.event_id
      returning e.*
    ),
    audited as (
      insert into webhook_audit (actor, action, source, event_id, details)
      select ${run.actor}::text, 'replay', o.source, o.event_id, jsonb_build_object('replay', ${id}::text)
      from opened o
    ),
    counted as (
      update webhook_replays r
      set replayed = r.replayed + (select count(*)::int from opened), last_error = null
      where r.id = ${id}::text
    )
    select e.source, e.event_id as id, e.type, e.opening::float8 as opening, e.digest, e.content_type as "contentType", e.headers,
      coalesce(octet_length(e.body), 0) as "bytesLength",
      ${epochMs(sql`e.received_at`)} as "receivedAtMs",
      ${epochMs(sql`e.occurred_at`)} as "occurredAtMs"
    from opened e`);
}

/** Over once its limit is reached or nothing is left, rows that somebody else holds included. */
export async function endIfDone(tx: Tx, id: string, run: RunHeld): Promise<boolean> {
  const rows = await tx.execute(sql`
    update webhook_replays r
    set status = 'completed', finished_at = now(), last_error = null
    where r.id = ${id}::text
      and (r.replayed >= r.row_limit or not exists (select from webhook_events e where ${wanted(run)}))
    returning r.id`);
  return rows.length > 0;
}

const wanted = ({ filter, withPermanent, opening }: RunHeld) =>
  sql`${replayable(filter, opening)} and e.body is not null and ${withPermanent ? sql`true` : sql`not ${isPermanent}`}`;
