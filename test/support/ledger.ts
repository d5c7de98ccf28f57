/** A ledger of its own for a test file, and the consumer run on it by hand: batches in, what became of each message out. */
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { readConfig } from "../../src/config.ts";
import type { EventFacts } from "../../src/core/event.ts";
import { encodeMessage, type EventMessage } from "../../src/core/message.ts";
import { timings } from "../../src/core/timings.ts";
import { sha256Hex } from "../../src/digest.ts";
import { type Client, openClient } from "../../src/store/client.ts";
import type { Tx } from "../../src/store/guard.ts";
import { type EventRow, readEvent } from "../../src/store/statements/read-event.ts";
import { holdfast, type Route, type Sources } from "#holdfast";
import { marked } from "./leaks.ts";
import { sources, TABLES_SQL } from "./own-app.ts";

const fast = timings("fast");
export const config = readConfig(env);

export interface Ledger {
  /** The Worker's bindings, with this ledger behind HYPERDRIVE. */
  readonly env: Env;
  /** The test's own connection: one, since none is closed before the test file ends. */
  db(): Tx;
  row(id: string, source?: string): Promise<EventRow | null>;
  balance(userId: string): Promise<number>;
  attempts(id: string): Promise<readonly { class: string; phase: string; message: string; stack: string; sqlstate: string | null }[]>;
  run(sqlText: string): Promise<readonly Record<string, unknown>[]>;
}

/** A fresh copy of the migrated template. */
export async function ledger(name: string): Promise<Ledger> {
  const database = `it_${name.replaceAll(/[^a-z0-9]+/g, "_")}_${crypto.randomUUID().slice(0, 8)}`;
  const maintenance = openClient(at(env.HYPERDRIVE, "postgres"), fast);
  await maintenance.db.execute(sql.raw(`create database ${database} template holdfast_template`));
  maintenance.abandon("the database is made");
  const made = ledgerOn(at(env.HYPERDRIVE, database));
  for (const statement of TABLES_SQL) await made.run(statement);
  return made;
}

export type Database = Pick<Hyperdrive, "connectionString" | "connect">;

/** The same, over any connection: a proxy that fails, say. */
export function ledgerOn(database: Database, through: Database = database): Ledger {
  let client: Client | null = null;
  const db = (): Tx => {
    if (client === null || client.lost() !== null) client = openClient(database, fast);
    return client.db;
  };
  return {
    env: { ...env, HYPERDRIVE: through as Hyperdrive },
    db,
    row: (id, source = "generic") => readEvent(db(), { source, id }),
    balance: async (userId) => {
      const rows = await db().execute<{ balance: number }>(sql`select balance::int as balance from test_balances where user_id = ${userId}::text`);
      return rows[0]?.balance ?? 0;
    },
    attempts: (id) => db().execute(sql`select class, phase, message, stack, sqlstate from webhook_attempts where event_id = ${id}::text order by id`),
    // Async, so that the statement is on its way at once: Drizzle starts one only when it is awaited.
    run: async (text) => db().execute(sql.raw(text)),
  };
}

export function at(hyperdrive: Database, database: string): Database {
  const url = new URL(hyperdrive.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href, connect: () => hyperdrive.connect() };
}

let count = 0;
/** A name that no other test uses. */
export const unique = (what: string): string => `${what}_${++count}_${crypto.randomUUID().slice(0, 8)}`;

export interface MessageOptions {
  readonly id?: string;
  readonly source?: string;
  readonly type?: string;
  readonly opening?: number;
  readonly direct?: boolean;
  readonly body?: unknown;
  readonly bytes?: Uint8Array;
  /** Leaves the bytes out of the message, as for a large body. */
  readonly bare?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A message as the claim sends it. */
export async function message(options: MessageOptions = {}): Promise<EventMessage> {
  const bytes = options.bytes ?? new TextEncoder().encode(JSON.stringify(marked(options.body ?? {})));
  const facts: EventFacts = {
    source: options.source ?? "generic",
    id: options.id ?? unique("evt"),
    type: options.type ?? "test",
    receivedAtMs: Date.now(),
    occurredAtMs: null,
    digest: await sha256Hex(bytes),
    contentType: "application/json",
    headers: options.headers ?? {},
    bytesLength: bytes.byteLength,
  };
  return encodeMessage({
    facts,
    opening: options.opening ?? Date.now(),
    direct: options.direct ?? false,
    duplicates: 0,
    mismatches: 0,
    bytes: options.bare === true ? null : bytes,
  });
}

export interface Consumed {
  /** Ids of the events whose messages were acknowledged. */
  readonly acked: readonly string[];
  /** Seconds until an event's message comes again. */
  readonly retried: Readonly<Record<string, number | undefined>>;
}

/** Runs a batch as the queue would. `deliveries`: which delivery of the message this is. */
export async function consume(
  on: Pick<Ledger, "env">,
  messages: readonly unknown[],
  handlers: readonly Route[],
  options: { readonly queue?: string; readonly deliveries?: number; readonly sources?: Sources } = {},
): Promise<Consumed> {
  const batch = createMessageBatch(
    options.queue ?? "events",
    messages.map((body, index) => ({ id: `${index}`, timestamp: new Date(), attempts: options.deliveries ?? 1, body })),
  );
  const context = createExecutionContext();
  // The pool's own report leaves the delays out.
  const delays = new Map<string, number | undefined>();
  const observed = batch.messages.map(
    (one) =>
      ({
        id: one.id,
        timestamp: one.timestamp,
        body: one.body,
        attempts: one.attempts,
        ack: () => one.ack(),
        retry: (how) => {
          delays.set(one.id, how?.delaySeconds);
          one.retry(how);
        },
      }) satisfies Message,
  );
  await holdfast({ sources: options.sources ?? sources, handlers }).queue({ ...batch, queue: batch.queue, messages: observed }, on.env);
  const result = await getQueueResult(batch, context);
  const nameOf = (index: string): string => {
    const body = messages[Number(index)];
    const facts = typeof body === "object" && body !== null && "facts" in body ? body.facts : null;
    return typeof facts === "object" && facts !== null && "id" in facts ? String(facts.id) : index;
  };
  return {
    acked: result.explicitAcks.map(nameOf),
    retried: Object.fromEntries(result.retryMessages.map((retry) => [nameOf(retry.msgId), delays.get(retry.msgId)])),
  };
}
