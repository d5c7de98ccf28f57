/** Group replays: newest first; and one of them with how the events that it opened stand now. */
import { sql } from "drizzle-orm";
import type { ReplayRunSummary, ReplayRunView } from "../../core/operators.ts";
import type { Tx } from "../guard.ts";
import { epochMs } from "./keys.ts";

const SUMMARY = sql`r.id, r.actor, r.reason, r.filter, r.with_permanent as "withPermanent", r.rate_per_second as "ratePerSecond", r.row_limit as "rowLimit",
      r.matched, r.will_replay as "willReplay", r.replayed, r.status, r.last_error as "lastError",
      ${epochMs(sql`r.started_at`)} as "startedAtMs",
      ${epochMs(sql`r.finished_at`)} as "finishedAtMs"`;

/** Without outcomes: each run's are thousands of events. */
export async function listReplays(db: Tx, limit: number): Promise<ReplayRunSummary[]> {
  return db.execute<Readonly<Record<string, unknown>> & ReplayRunSummary>(sql`
    select ${SUMMARY}
    from webhook_replays r
    order by r.started_at desc, r.id
    limit ${limit}::int`);
}

export async function readReplay(db: Tx, id: string): Promise<ReplayRunView | null> {
  const rows = await db.execute<Readonly<Record<string, unknown>> & ReplayRunView>(sql`
    select ${SUMMARY}, o.outcomes
    from webhook_replays r
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
    where r.id = ${id}::text`);
  return rows[0] ?? null;
}
