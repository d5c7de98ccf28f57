/** Group replays that run, oldest first: the cron wakes them. */
import { sql } from "drizzle-orm";
import type { Tx } from "../guard.ts";

export async function runningReplays(db: Tx, limit: number): Promise<string[]> {
  const rows = await db.execute<{ readonly id: string }>(sql`
    select r.id
    from webhook_replays r
    where r.status = 'running'
    order by r.started_at
    limit ${limit}::int`);
  return rows.map(({ id }) => id);
}
