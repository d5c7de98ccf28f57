/** One transaction with limits of its own, in which handlers take turns. It commits whole, or rolls back and says why. */
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import { sql } from "drizzle-orm";
import { HandlerTimeout } from "../core/errors.ts";
import type { Timings } from "../core/timings.ts";
import type { Client } from "./client.ts";
import { database, type GuardedTransaction, type Tx } from "./guard.ts";

export interface Transaction {
  readonly sql: GuardedTransaction;
  /** For our own statements. */
  readonly db: PostgresJsDatabase;
  /**
   * Gives a handler its turn: a `tx` of its own, which is revoked when the handler ends, fails or passes the deadline. Rejects with what the handler
   * threw, with the SQL error that it swallowed, with QueriesNotAwaited, or with HandlerTimeout, after which the client is abandoned. Once it has
   * rejected, the transaction cannot commit.
   */
  readonly runHandler: <R>(handler: (tx: Tx) => Promise<R>, deadlineMs: number) => Promise<R>;
}

/**
 * Runs work in a transaction. Rejects with the first error, whatever the rollback says; with ConnectionLost where the connection was lost, and with its
 * kind CommitUnknown where COMMIT was under way: then only the database knows.
 */
export function inTransaction<T>(
  client: Client,
  timings: Pick<Timings, "statementTimeoutMs" | "lockTimeoutMs" | "idleInTransactionMs">,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return client.sql.begin(async (scoped) => {
    const db = database(scoped);
    await db.execute(sql`
      select set_config('statement_timeout', ${String(timings.statementTimeoutMs)}, true),
        set_config('lock_timeout', ${String(timings.lockTimeoutMs)}, true),
        set_config('idle_in_transaction_session_timeout', ${String(timings.idleInTransactionMs)}, true)`);
    return work({ sql: scoped, db, runHandler: (handler, deadlineMs) => runHandler(client, scoped, handler, deadlineMs) });
  });
}

async function runHandler<R>(client: Client, scoped: GuardedTransaction, handler: (tx: Tx) => Promise<R>, deadlineMs: number): Promise<R> {
  const turn = scoped.handlerTurn();
  const outcome = await turn.run(() => beforeDeadline(client, () => handler(database(turn.client)), deadlineMs));
  if (outcome.ok) return outcome.value;
  // Its statement may still be running, and a rollback would wait for it: without a client the server ends both.
  if (outcome.error instanceof HandlerTimeout) client.abandon(outcome.error.message);
  throw outcome.error;
}

/** What the handler returns, unless the deadline passes or the connection goes: a handler that waits for something else would not notice. */
async function beforeDeadline<R>(client: Client, handler: () => Promise<R>, deadlineMs: number): Promise<R> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  // Not called bare: what it throws before its first await must not leave the others without a listener.
  const run = async (): Promise<R> => handler();
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new HandlerTimeout(deadlineMs)), deadlineMs);
  });
  const loss = client.whenLost.then((lost): never => {
    throw lost;
  });
  try {
    return await Promise.race([run(), deadline, loss]);
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}
