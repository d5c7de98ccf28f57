/** Who may still send a query, and what went wrong so far: one scope per transaction, savepoint and handler's turn. */
import { HandlerTimeout } from "../core/errors.ts";
import { chainOf } from "./error-chain.ts";
import { isInFailedTransaction, isOutage } from "./sqlstates.ts";

/** A query was issued after its transaction, or its handler's turn, had ended. It has not reached the wire. */
export class TransactionOver extends Error {
  override readonly name = "TransactionOver";

  constructor(statement: string) {
    super(`a query was issued after its transaction or its handler had ended: ${excerpt(statement)}`);
  }
}

/** A handler or a transaction ended while queries that it had started were still under way. */
export class QueriesNotAwaited extends Error {
  override readonly name = "QueriesNotAwaited";

  constructor(count: number) {
    super(count === 1 ? "1 query was not awaited" : `${count} queries were not awaited`);
  }
}

/** A statement that has no place where it was issued. */
export class StatementRefused extends Error {
  override readonly name = "StatementRefused";

  constructor(why: string, statement: string) {
    super(`${why}: ${excerpt(statement)}`);
  }
}

const EXCERPT_CHARACTERS = 80;
const excerpt = (statement: string): string => statement.slice(0, EXCERPT_CHARACTERS);

type ScopeKind =
  /** Outside every transaction. */
  | "client"
  /** Its failed statements fail everything around it. */
  | "transaction"
  | "handler"
  /** Rolled back on its own: whoever opened it may catch what it throws and go on. */
  | "savepoint";

export class Scope {
  readonly kind: ScopeKind;
  readonly #parent: Scope | null;
  #over = false;
  #pending = 0;
  #first: { readonly error: unknown } | null = null;

  constructor(kind: ScopeKind, parent: Scope | null) {
    this.kind = kind;
    this.#parent = parent;
  }

  isOver(): boolean {
    return this.#over || (this.#parent?.isOver() ?? false);
  }

  end(): void {
    this.#over = true;
  }

  /** Counts something as under way until the returned function is called. */
  started(): () => void {
    this.#pending += 1;
    return () => {
      this.#pending -= 1;
    };
  }

  /** Remembers the first failure, here and wherever it fails what is around: Postgres takes no more statements after it. */
  failed(error: unknown): void {
    this.#first ??= { error };
    if (this.kind === "handler") this.#parent?.failed(error);
  }

  /** Runs work as this scope's, which is over when the work is. What was swallowed resurfaces, what was not awaited fails it. */
  async run<T>(work: () => Promise<T>): Promise<Outcome<T>> {
    try {
      const value = await work();
      if (this.#first !== null) return { ok: false, error: this.#first.error };
      if (this.#pending > 0) return this.#fails(new QueriesNotAwaited(this.#pending));
      return { ok: true, value };
    } catch (thrown) {
      return this.#fails(this.#blame(thrown));
    } finally {
      this.end();
    }
  }

  #fails(error: unknown): { readonly ok: false; readonly error: unknown } {
    this.failed(error);
    return { ok: false, error };
  }

  /**
   * Of what was thrown and what failed first, the one to report. Thrown errors speak for themselves (a handler may translate a violated constraint
   * into a PermanentError), unless they only say that the transaction had failed before, or hide an outage: an outage dead-letters no event. Whoever overstays has overstayed, in any case.
   */
  #blame(thrown: unknown): unknown {
    const first = this.#first;
    if (first === null || thrown instanceof HandlerTimeout || chainOf(thrown).includes(first.error)) return thrown;
    return isInFailedTransaction(thrown) || isOutage(first.error) ? first.error : thrown;
  }
}

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };
