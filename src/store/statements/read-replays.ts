/** Group replays, newest first, and how the events that each opened stand now. */
import { type SQL, sql } from "drizzle-orm";
import type { ReplayRunView } from "../../core/operators.ts";
import type { Tx } from "../guard.ts";
import { epochMs } from "./keys.ts";

export async function listReplays(db: Tx, limit: number): Promise<ReplayRunView[]> {
  return views(db, sql`order by r.started_at desc, r.id limit ${limit}::int`);
}

export async function readReplay(db: Tx, id: string): Promise<ReplayRunView | null> {
  return (await views(db, sql`where r.id = ${id}::text`))[0] ?? null;
}

function views(db: Tx, which: SQL): Promise<ReplayRunView[]> {
  return db.execute<Readonly<Record<string, unknown>> & ReplayRunView>(sql`
    with runs as materialized (
      select r.*
      from webhook_replays r
      ${which}
    )
    select r.id, r.actor, r.reason, r.filter, r.with_permanent as "withPermanent", r.rate_per_second as "ratePerSecond", r.row_limit as "rowLimit",
      r.matched, r.will_replay as "willReplay", r.replayed, r.status, r.last_error as "lastError",
      ${epochMs(sql`r.started_at`)} as "startedAtMs",
      ${epochMs(sql`r.finished_at`)} as "finishedAtMs",
      o.outcomes
    from runs r
    cross join lateral (
      select jsonb_build_object(
        'pending', count(*) filter (where e.status = 'pending' or e.after = 'owed'),
        'completed', count(*) filter (where e.status = 'completed' and e.after in ('none', 'done')),
        'skipped', count(*) filter (where e.status = 'skipped'),
        'failed', count(*) filter (where e.status = 'failed' or e.after = 'failed')) as outcomes
      from webhook_audit a
      join webhook_events e on e.source = a.source and e.event_id = a.event_id
      where a.action = 'replay'
        and a.details ->> 'replay' = r.id
    ) o
    order by r.started_at desc, r.id`);
}
