/** What the cron's health line says of the ledger: counts that partial indexes answer, never a scan of all rows. */
import { sql } from "drizzle-orm";
import type { Tx } from "../guard.ts";
import { epochMs } from "./keys.ts";

export interface LedgerHealth {
  readonly pending: number;
  readonly oldestPendingMs: number | null;
  readonly owedAfters: number;
  /** Given up; their events completed. */
  readonly failedAfters: number;
  readonly deadLetters: number;
}

export async function ledgerHealth(db: Tx): Promise<LedgerHealth> {
  const rows = await db.execute<Readonly<Record<string, unknown>> & LedgerHealth>(sql`
    select count(*) filter (where e.status = 'pending')::int as pending,
      ${epochMs(sql`min(e.received_at) filter (where e.status = 'pending')`)} as "oldestPendingMs",
      count(*) filter (where e.after = 'owed')::int as "owedAfters",
      (select count(*)::int from webhook_events g where g.after = 'failed') as "failedAfters",
      (select count(*)::int from webhook_events f where f.status = 'failed') as "deadLetters"
    from webhook_events e
    where e.status = 'pending' or e.after = 'owed'`);
  return rows[0] ?? { pending: 0, oldestPendingMs: null, owedAfters: 0, failedAfters: 0, deadLetters: 0 };
}
