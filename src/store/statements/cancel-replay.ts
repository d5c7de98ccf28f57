/** An operator ends a group replay: what it has opened stays open, its next step finds it over. */
import { sql } from "drizzle-orm";
import type { Operator } from "../../core/operators.ts";
import type { Tx } from "../guard.ts";

/** false: there is none of this id that runs. */
export async function cancelReplay(db: Tx, id: string, operator: Operator): Promise<boolean> {
  const rows = await db.execute(sql`
    with cancelled as (
      update webhook_replays r
      set status = 'cancelled',
        finished_at = now()
      where r.id = ${id}::text
        and r.status = 'running'
      returning r.id
    )
    insert into webhook_audit (actor, action, details)
    select ${operator.name}::text, 'replay_group_cancelled', ${JSON.stringify({ via: operator.via, replay: id })}::text::jsonb
    from cancelled
    returning id::float8 as id`);
  return rows.length > 0;
}
