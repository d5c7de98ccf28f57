/**
 * What Drizzle and handlers get instead of a postgres.js client: named statements only, nothing after the end of a transaction or of a handler's turn,
 * nothing un-awaited, no SQL error swallowed, no way to end a transaction from inside.
 */
import type { PgDatabase } from "drizzle-orm/pg-core";
import { drizzle, type PostgresJsDatabase, type PostgresJsQueryResultHKT } from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import { Lane } from "./lane.ts";
import { type Outcome, Scope, StatementRefused, TransactionOver } from "./scope.ts";
import { CommitUnknown, type Line } from "./socket.ts";

/** What handlers and statements are given: a Drizzle database whose every query belongs to somebody's transaction. */
export type Tx = PgDatabase<PostgresJsQueryResultHKT>;

/** All that Drizzle uses of a postgres.js client, and all there is: no listen, reserve, cursor, end. */
export interface GuardedClient {
  readonly options: postgres.Sql["options"];
  /** Sends one statement, always prepared under a name: Hyperdrive's pooling can hang on unnamed ones. */
  unsafe(statement: string, parameters?: readonly unknown[], options?: postgres.UnsafeQueryOptions): Query;
  begin<T>(work: (client: GuardedTransaction) => Promise<T>): Promise<T>;
  savepoint<T>(work: (client: GuardedTransaction) => Promise<T>): Promise<T>;
}

export interface GuardedTransaction extends GuardedClient {
  /** Opens a handler's turn within this transaction. */
  handlerTurn(): HandlerTurn;
}

export interface HandlerTurn {
  readonly client: GuardedClient;
  /** Runs the handler as this turn, and revokes it when it has ended or failed. */
  run<T>(work: () => Promise<T>): Promise<Outcome<T>>;
}

/** The parts of a postgres.js query that are ours to hold: it calls its `handler` when it has been started and is to be sent (postgres 3.4.9, query.js). */
export interface Query extends Promise<unknown> {
  handler: (query: Query) => void;
  reject(error: unknown): void;
  values(): Query;
}

/** The parts of a postgres.js client, or of its transaction, that are used here. */
export interface InnerClient {
  typed(value: string, type: number): unknown;
  unsafe(statement: string, parameters: readonly unknown[], options: object): Query;
  begin?<T>(work: (client: InnerClient) => Promise<T>): Promise<T>;
  savepoint?<T>(work: (client: InnerClient) => Promise<T>): Promise<T>;
}

interface Shared {
  readonly options: postgres.Sql["options"];
  readonly line: Line;
  readonly lane: Lane;
  /** The client's one transaction, while it is open. */
  open: Scope | null;
}

export function guardedClient(sql: postgres.Sql, line: Line): GuardedClient {
  const shared: Shared = { options: sql.options, line, lane: new Lane(line), open: null };
  return guarded(sql as unknown as InnerClient, new Scope("client", null), shared);
}

/** Drizzle over a guarded client, which has all that Drizzle asks of a postgres.js one. */
export function database(client: GuardedClient): PostgresJsDatabase {
  return drizzle(client as unknown as postgres.Sql);
}

function guarded(inner: InnerClient, scope: Scope, shared: Shared): GuardedTransaction {
  const nest = <T>(work: (client: GuardedTransaction) => Promise<T>): Promise<T> => nested(inner, scope, shared, work);
  return {
    options: shared.options,
    unsafe: (statement, parameters = [], options = {}) => {
      // Not `simple`, which Drizzle gets for a statement without parameters: it has no name and would take several statements in one text.
      const query = inner.unsafe(
        statement,
        parameters.map((value) => sendable(value, inner)),
        { ...options, prepare: true, simple: false },
      );
      return admitted(query, statement, scope, shared);
    },
    begin: nest,
    savepoint: nest,
    handlerTurn: () => {
      const turn = new Scope("handler", scope);
      return { client: guarded(inner, turn, shared), run: (work) => turn.run(work) };
    },
  };
}

const TIMESTAMPTZ = 1184;

/** Drizzle writes the instants of its columns as text, and so takes the driver's way to write a `Date`: one in a handler's own `sql` still needs it. */
function sendable(value: unknown, inner: InnerClient): unknown {
  return value instanceof Date ? inner.typed(value.toISOString(), TIMESTAMPTZ) : value;
}

/** Lets a query go when its turn comes, if it may still go. Counted from here on: whoever asks for a query has to await it. */
function admitted(query: Query, statement: string, scope: Scope, shared: Shared): Query {
  const done = scope.started();
  // Not `query.then`, which would start it.
  const settled = Promise.prototype.then.call(query, done, (error: unknown) => {
    done();
    if (!scope.isOver()) scope.failed(error);
  });
  const send = query.handler;
  query.handler = () =>
    shared.lane.take({
      refusal: () => refusal(statement, scope, shared),
      refuse: (error) => query.reject(error),
      send: () => send(query),
      settled,
    });
  return query;
}

/** Statements that would end the transaction under its owner, or outlive it in a pooled connection. Comments may lead. */
const CONTROL =
  /^(?:\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:begin|start|commit|end|rollback|abort|savepoint|release|prepare|listen|unlisten|discard|deallocate)\b/i;

function refusal(statement: string, scope: Scope, shared: Shared): Error | null {
  if (scope.isOver()) return new TransactionOver(statement);
  if (CONTROL.test(statement)) return new StatementRefused("whoever began a transaction ends it; within one, use tx.transaction()", statement);
  if (scope.kind === "client" && shared.open !== null) {
    return new StatementRefused("this client is in a transaction, which has a client of its own", statement);
  }
  return null;
}

/** A promise for postgres.js when it must not go on: what it would send next belongs to a transaction that is no more. */
const never = new Promise<never>(() => {});

/** Begins a transaction, or a savepoint within one, and runs work in a scope of its own. */
function nested<T>(inner: InnerClient, parent: Scope, shared: Shared, work: (client: GuardedTransaction) => Promise<T>): Promise<T> {
  const outermost = parent.kind === "client";
  const scope = new Scope(outermost ? "transaction" : "savepoint", parent);
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  const { promise: result, resolve, reject } = Promise.withResolvers<T>();
  let outcome: Outcome<T> | null = null;

  const runScoped = async (client: InnerClient): Promise<T> => {
    enter();
    outcome = await scope.run(() => work(guarded(client, scope, shared)));
    const lost = shared.line.lost();
    if (lost === null && !parent.isOver()) return unwrap(outcome);
    reject(outcome.ok ? (lost ?? new TransactionOver("the end of a savepoint")) : outcome.error);
    return never;
  };

  const settle = (error: unknown): void => {
    const lost = shared.line.lost();
    if (outcome === null) reject(lost ?? error);
    else if (!outcome.ok) reject(outcome.error);
    else reject(lost === null ? error : new CommitUnknown(lost));
    // The savepoint's own statement failed, or its rollback: the transaction around it takes no more statements.
    if (!outermost && (outcome === null || outcome.ok || outcome.error !== error)) parent.failed(error);
  };

  shared.lane.take({
    refusal: () => refusal(outermost ? "a transaction" : "a savepoint", parent, shared),
    refuse: (error) => {
      enter();
      reject(error);
    },
    send: () => {
      if (outermost) shared.open = scope;
      const begun = outermost ? inner.begin?.(runScoped) : inner.savepoint?.(runScoped);
      begun?.then(resolve, settle);
      begun?.then(() => enter(), enter);
    },
    settled: entered,
  });
  const over = (): void => {
    scope.end();
    if (shared.open === scope) shared.open = null;
  };
  result.then(over, over);
  const done = parent.started();
  result.then(done, done);
  return result;
}

function unwrap<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw outcome.error;
}
