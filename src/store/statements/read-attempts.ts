/** What failed of one event, oldest first: of many the newest. */
import { sql } from "drizzle-orm";
import type { EventKey } from "../../core/event.ts";
import type { Attempt } from "../../core/operators.ts";
import type { Tx } from "../guard.ts";
import { epochMs } from "./keys.ts";

export async function readAttempts(db: Tx, key: EventKey, limit: number): Promise<Attempt[]> {
  return db.execute<Readonly<Record<string, unknown>> & Attempt>(sql`
    with newest as (
      select a.*
      from webhook_attempts a
      where a.source = ${key.source}::text
        and a.event_id = ${key.id}::text
      order by a.at desc, a.id desc
      limit ${limit}::int
    )
    select ${epochMs(sql`n.at`)} as "atMs", n.opening::float8 as opening, n.class, n.phase, n.sqlstate, n.constraint_name as constraint, n.message, n.stack
    from newest n
    order by n.at, n.id`);
}
