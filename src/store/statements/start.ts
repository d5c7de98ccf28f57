/** Runs alone: the start is committed before the run, so that a run that kills its isolate has been counted. */
import { sql } from "drizzle-orm";
import type { EventKey } from "../../core/event.ts";
import { EARLY_TOLERANCE_MS } from "../../core/settlement.ts";
import type { Tx } from "../guard.ts";
import { intervalMs } from "./keys.ts";

export interface StartedRow {
  readonly starts: number;
  readonly opening: number;
  readonly attempts: number;
}

/** null: settled meanwhile, or a copy holds the lease (copies must not count each other as unfinished). */
export async function start(db: Tx, key: EventKey, leaseMs: number): Promise<StartedRow | null> {
  const rows = await db.execute<Readonly<Record<string, unknown>> & StartedRow>(sql`
    update webhook_events e
    set starts = e.starts + 1,
      started_at = now()
    where e.source = ${key.source}::text
      and e.event_id = ${key.id}::text
      and e.status = 'pending'
      and e.sent_at <= now() + ${intervalMs(EARLY_TOLERANCE_MS)}
      and (e.started_at is null or e.started_at < now() - ${intervalMs(leaseMs)})
    returning e.starts, e.opening::float8 as opening, e.attempts`);
  return rows[0] ?? null;
}

export interface StartedKey extends EventKey {
  /** As this consumer committed it: whoever counted on from there has a run of its own. */
  readonly starts: number;
  /** Stays a suspect (1), or not (0). */
  readonly left: 0 | 1;
}

/** An orderly end without an outcome (given back): these runs are over, nobody died. */
export async function endStarts(db: Tx, keys: readonly StartedKey[]): Promise<void> {
  const list = JSON.stringify(keys.map((key) => ({ source: key.source, event_id: key.id, starts: key.starts, left: key.left })));
  await db.execute(sql`
    with k as (
      select e.source, e.event_id, k."left"
      from jsonb_to_recordset(${list}::text::jsonb) as k(source text, event_id text, starts int, "left" int)
      join webhook_events e on e.source = k.source and e.event_id = k.event_id
      where e.status not in ('completed', 'skipped', 'failed')
        and e.starts = k.starts
      order by e.source, e.event_id
      for update of e skip locked
    )
    update webhook_events e
    set starts = k."left",
      started_at = null
    from k
    where e.source = k.source
      and e.event_id = k.event_id`);
}
