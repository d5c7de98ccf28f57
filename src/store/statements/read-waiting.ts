/** How work waits: events that are open for longer than a limit without an attempt, rows open in all, and when the ledger last heard of a new event. */
import { sql } from "drizzle-orm";
import type { Waiting } from "../../core/alerts.ts";
import type { Tx } from "../guard.ts";
import { epochMs } from "./keys.ts";

export async function readWaiting(db: Tx, openedBeforeMs: number): Promise<Waiting> {
  const rows = await db.execute<Readonly<Record<string, unknown>> & Waiting>(sql`
    select count(*) filter (where e.status = 'pending' and e.attempts = 0 and e.opening < ${openedBeforeMs}::bigint)::int as late,
      (min(e.opening) filter (where e.status = 'pending' and e.attempts = 0 and e.opening < ${openedBeforeMs}::bigint))::float8 as "lateSinceMs",
      count(*)::int as open,
      (select ${epochMs(sql`max(n.received_at)`)} from webhook_events n) as "newestMs"
    from webhook_events e
    where e.status = 'pending' or e.after = 'owed'`);
  return rows[0] ?? { late: 0, lateSinceMs: null, open: 0, newestMs: null };
}
