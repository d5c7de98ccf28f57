/** What operators read: in a transaction that cannot write, with a time limit of its own, so that a wide question never wears out the ledger. */
import { sql } from "drizzle-orm";
import type { Timings } from "../core/timings.ts";
import type { Tx } from "./guard.ts";
import { databaseFault } from "./sqlstates.ts";

/** Plans are made for the values asked for: a common type and a rare one want different indexes. */
export function reading<T>(db: Tx, { operatorReadMs }: Pick<Timings, "operatorReadMs">, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`
      select set_config('statement_timeout', ${String(operatorReadMs)}, true),
        set_config('transaction_read_only', 'on', true),
        set_config('plan_cache_mode', 'force_custom_plan', true)`);
    return work(tx);
  });
}

/** Whether a statement was ended for taking too long. */
export function isTooSlow(error: unknown): boolean {
  return databaseFault(error)?.sqlstate === "57014";
}
