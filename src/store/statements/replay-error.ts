/** Why a group replay's last step did not go through, for whoever looks at it. */
import { sql } from "drizzle-orm";
import type { Tx } from "../guard.ts";

export async function noteReplayError(db: Tx, id: string, error: string): Promise<void> {
  await db.execute(sql`
    update webhook_replays r
    set last_error = left(${error}::text, 2000)
    where r.id = ${id}::text
      and r.status = 'running'`);
}
