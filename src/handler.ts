/** What a user writes: handlers, typed from their source. The run-time side of `on` is a plain record; the consumer calls it. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Routed } from "./core/routes.ts";
import type { Provider } from "./providers/provider.ts";
import type { Tx } from "./store/guard.ts";

export interface WebhookEvent<Data = unknown> {
  readonly source: string;
  /** As the provider wrote it. */
  readonly id: string;
  readonly type: string;
  /** Stable over every retry and replay: pass it on as the idempotency key of whatever is called. */
  readonly key: string;
  readonly receivedAt: Date;
  /** When the provider says that it happened. Order by this, not by arrival: delivery is unordered. */
  readonly occurredAt: Date | null;
  /** 1 for the first run of this opening. Runs that an outage cut short are not counted. */
  readonly attempt: number;
  readonly headers: Headers;
  /** The raw body that was verified; of a delivery that carries several events, this one's part of it. */
  readonly bytes: Uint8Array;
  /**
   * What the body says. JSON is its value, whatever content type the sender gives it (another than JSON's: objects and arrays). A form is an object of
   * its fields: text, or a list of texts where a field comes several times; of a multipart form the text fields, without files. `text/*` and XML are text.
   * Anything else, and a multipart body that cannot be read, is null: `bytes` has it. A body that is announced as JSON, or as nothing, and is not JSON
   * in UTF-8 reaches no handler: the event is a dead letter at its first attempt.
   */
  readonly data: Data;
}

/** What `skip` returns: the event ends as skipped, with the reason where operators see it. */
export class Skip {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Ends the event as `skipped`: acknowledged, visible, replayable. What the handler wrote before is committed with it. */
export function skip(reason: string): Skip {
  return new Skip(reason);
}

export interface RunContext<Data> {
  readonly event: WebhookEvent<Data>;
  readonly data: Data;
  /** SQL here commits with the event, or not at all. Nothing else belongs in `run`. */
  readonly tx: Tx;
}

export interface AfterContext<Data, Result> {
  readonly event: WebhookEvent<Data>;
  readonly data: Data;
  /** What `run` returned, as JSON keeps it. */
  readonly result: Result;
  readonly env: Env;
  /** Aborts at the deadline. */
  readonly signal: AbortSignal;
  /** The platform's fetch, which ends at the deadline. Handlers have no other (a lint rule): outside `after` a call would not commit, or roll back, with the event. */
  readonly fetch: typeof fetch;
}

export interface Handler<Data, Result = void> {
  run(context: RunContext<Data>): Promise<Result | Skip>;
  /** The outside world, once the SQL has committed: at least once, with attempts of its own. */
  after?(context: AfterContext<Data, Result>): Promise<void>;
}

/** A short handler: SQL only. */
export type Run<Data> = (context: RunContext<Data>) => Promise<void | Skip>;

export class BatchHandler<Data> {
  /** Made by `batchHandler` alone: an object with a `run` is a handler of single events. */
  readonly #isBatch = true;
  readonly run: (context: BatchContext<Data>) => Promise<void>;
  constructor(run: (context: BatchContext<Data>) => Promise<void>) {
    this.run = run;
  }

  get isBatch(): boolean {
    return this.#isBatch;
  }
}

export interface BatchContext<Data> {
  /** Events of the type, sorted by key; one or many. They commit together. If it throws, smaller pieces are tried, down to single events. */
  readonly events: readonly WebhookEvent<Data>[];
  readonly tx: Tx;
}

/** Takes many events of a type at once, for set-based SQL: round trips to the database dominate everything. */
export function batchHandler<Data>(run: (context: BatchContext<Data>) => Promise<void>): BatchHandler<Data> {
  return new BatchHandler(run);
}

/** What the consumer runs. Made by `on`, whose types are checked where they are written. */
export interface Route extends Routed {
  readonly schema: StandardSchemaV1 | null;
  readonly handler: Handler<unknown, unknown> | BatchHandler<unknown>;
}

export type Sources = Readonly<Record<string, Provider>>;

type DataOf<S> = S extends Provider<infer Data> ? Data : never;
type OfType<Data, Type extends string> = Data extends { type: infer Known } ? (Known extends Type ? Data : never) : never;
/** The member of the union that the type names; all of it where the type is new or a pattern. */
type Typed<Data, Type extends string> = [OfType<Data, Type>] extends [never] ? Data : OfType<Data, Type>;
type KnownType<Data> = Data extends { type: infer Known extends string } ? Known : never;
/** Autocompletes the known types, takes new ones. */
type Suggested<Type extends string> = Type | (string & {});

export interface On<S extends Sources> {
  <K extends keyof S & string, T extends Suggested<KnownType<DataOf<S[K]>>>>(
    source: K,
    type: T,
    handler: Run<Typed<DataOf<S[K]>, T>> | BatchHandler<Typed<DataOf<S[K]>, T>>,
  ): Route;
  <K extends keyof S & string, Schema extends StandardSchemaV1, Result = void>(
    source: K,
    type: string,
    schema: Schema,
    handler: Handler<StandardSchemaV1.InferOutput<Schema>, Result>,
  ): Route;
  <K extends keyof S & string, Schema extends StandardSchemaV1>(
    source: K,
    type: string,
    schema: Schema,
    handler: Run<StandardSchemaV1.InferOutput<Schema>> | BatchHandler<StandardSchemaV1.InferOutput<Schema>>,
  ): Route;
  <K extends keyof S & string, T extends Suggested<KnownType<DataOf<S[K]>>>, Result = void>(
    source: K,
    type: T,
    handler: Handler<Typed<DataOf<S[K]>, T>, Result>,
  ): Route;
}

/** `on` for these sources: an unknown source is a compile error. */
export function onFor<const S extends Sources>(_sources: S): On<S> {
  const on = (source: string, type: string, ...rest: readonly unknown[]): Route => {
    const [schema, handler] = rest.length === 2 ? [rest[0] as StandardSchemaV1, rest[1]] : [null, rest[0]];
    const run = typeof handler === "function" ? { run: handler as Handler<unknown, unknown>["run"] } : (handler as Route["handler"]);
    return { source, type, schema, handler: run };
  };
  return on;
}
