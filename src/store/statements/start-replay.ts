/** A run of a group replay begins: its row, which is the truth about it, with the order's audit row. */
import { sql } from "drizzle-orm";
import type { Operator, ReplayOrder, ReplayPlan } from "../../core/operators.ts";
import type { Tx } from "../guard.ts";

export async function startReplay(db: Tx, id: string, operator: Operator, order: ReplayOrder, plan: ReplayPlan, nowMs: number): Promise<void> {
  const { filter, withPermanent, ratePerSecond, rowLimit, reason } = order;
  const details = { via: operator.via, reason, replay: id, filter, withPermanent, willReplay: plan.willReplay };
  await db.execute(sql`
    with started as (
      insert into webhook_replays (id, actor, reason, filter, with_permanent, rate_per_second, row_limit, matched, will_replay, status, opening)
      values (${id}::text, ${operator.name}::text, ${reason}::text, ${JSON.stringify(filter)}::text::jsonb, ${withPermanent}::boolean,
        ${ratePerSecond}::int, ${rowLimit}::int, ${plan.matched}::int, ${plan.willReplay}::int, 'running', ${nowMs}::bigint)
      returning actor
    )
    insert into webhook_audit (actor, action, details)
    select s.actor, 'replay_group', ${JSON.stringify(details)}::text::jsonb
    from started s`);
}
