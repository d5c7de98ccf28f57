/** One invocation's use of Postgres: the client of the moment, replaced after every loss, and the time that is left. */
import type { Config } from "../config.ts";
import { type Client, openClient } from "../store/client.ts";
import type { Tx } from "../store/guard.ts";
import { inTransaction, type Transaction } from "../store/transaction.ts";
import { isOpen, type Work } from "./work.ts";

/** The database is not to be had now: the rest of the batch goes back, uncounted. */
export class Outage extends Error {
  override readonly name = "Outage";
}

export class Session {
  readonly config: Config;
  readonly #hyperdrive: Pick<Hyperdrive, "connectionString" | "connect">;
  readonly #startMs = Date.now();
  #client: Client | null = null;

  constructor(hyperdrive: Pick<Hyperdrive, "connectionString" | "connect">, config: Config) {
    this.#hyperdrive = hyperdrive;
    this.config = config;
  }

  get db(): Tx {
    return this.#live().db;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return inTransaction(this.#live(), this.config.timings, work);
  }

  isLost(): boolean {
    return this.#client !== null && this.#client.lost() !== null;
  }

  /** A consumer may run 15 minutes; what has not begun by then is given back in good order. */
  isOutOfTime(): boolean {
    return Date.now() - this.#startMs >= this.config.timings.invocationBudgetMs;
  }

  #live(): Client {
    if (this.#client === null || this.#client.lost() !== null) this.#client = openClient(this.#hyperdrive, this.config.timings);
    return this.#client;
  }
}

/** Whether an event may still begin; when the time is up it goes back. */
export function inTime(work: Work, session: Session): boolean {
  if (!isOpen(work)) return false;
  if (session.isOutOfTime()) work.again = { kind: "wait", delayMs: 0, reason: "the invocation's time is up" };
  return isOpen(work);
}
