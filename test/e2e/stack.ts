/** A dev stack of its own that can be killed and started again on the same data; and a sender that signs, posts and remembers every answer. */
import { rmSync } from "node:fs";
import postgres from "postgres";
import { isPortFree } from "../../cli/dev/port.ts";
import { readVars } from "../../cli/dev-vars.ts";
import { secretVariable } from "../../src/config.ts";
import { generic } from "../../src/providers/generic.ts";
import { sign } from "../../src/schemes/scheme.ts";
import { newDataDir, startDevStack } from "../support/dev-stack.ts";
import { TABLES_SQL } from "../support/own-app.ts";

export interface StackOptions {
  /** An entry with other handlers than src/worker.ts. */
  readonly main?: string;
  readonly databaseUrl?: string;
  readonly vars?: readonly string[];
  /** With the fault points compiled in. */
  readonly faults?: boolean;
}

export interface Stack {
  readonly url: string;
  /** WEBHOOK_SECRET, or the one that a variable gave this source. */
  secretOf(source: string): string;
  /** The ledger. */
  readonly sql: postgres.Sql;
  /** SIGKILL to every process of the stack at once, as a power cut would. */
  killAll(): Promise<void>;
  /** SIGKILL to the Worker's runtime alone. Wrangler starts it again. */
  killRuntime(): void;
  /** The same data, a new life. */
  start(): Promise<void>;
  /** Ends it and deletes its data. */
  end(): Promise<void>;
}

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const dataDir = newDataDir();
  const flags = [
    ...(options.main === undefined ? [] : ["--main", options.main]),
    ...(options.databaseUrl === undefined ? [] : ["--database-url", options.databaseUrl]),
    ...(options.faults === true ? ["--faults"] : []),
    ...(options.vars ?? []).flatMap((one) => ["--var", one]),
  ];
  const live = async () => {
    const stack = startDevStack(dataDir, "--port", String(await freePort()), ...flags);
    const info = await stack.ready();
    const sql = postgres(info.databaseUrl, { max: 2, onnotice() {} });
    if (options.main !== undefined) for (const statement of TABLES_SQL) await sql.unsafe(statement);
    return { stack, info, sql };
  };
  let life = await live();
  return {
    get url() {
      return life.info.url;
    },
    secretOf: (source) => {
      const name = secretVariable(source);
      const given = options.vars?.find((one) => one.startsWith(`${name}:`));
      return given?.slice(name.length + 1) ?? readVars(life.info.varsFile)[name] ?? "";
    },
    get sql() {
      return life.sql;
    },
    killAll: async () => {
      await life.stack.kill();
      await life.sql.end({ timeout: 1 });
    },
    killRuntime: () => life.stack.killRuntime(),
    start: async () => {
      life = await live();
    },
    end: async () => {
      await life.sql.end({ timeout: 1 });
      await life.stack.stop();
      await life.stack.kill();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Stacks that start side by side must not race for the default port, and one that the system hands out lies where outgoing connections get theirs: while
 * the stack boots, one of them could take it. These ports are below.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    if (await isPortFree(port)) return port;
  }
}

export interface Sent {
  readonly id: string;
  /** `holdfast-status`, else the status; `no answer` where the connection broke. */
  readonly outcome: string;
  readonly status: number;
}

/** One signed delivery of the generic source. */
export async function send(stack: Pick<Stack, "url" | "secretOf">, id: string, payload: object): Promise<Sent> {
  return sendTo(stack, "generic", id, { id, ...payload });
}

/** One signed delivery of a source with the generic scheme; a delivery that carries several events has its id in a header. */
export async function sendTo(stack: Pick<Stack, "url" | "secretOf">, source: string, id: string, payload: object): Promise<Sent> {
  const body = new TextEncoder().encode(JSON.stringify(payload));
  const headers = { "content-type": "application/json", "x-request-id": id };
  const outgoing = { method: "POST", url: `${stack.url}/webhooks/${source}`, headers, id, timestampMs: Date.now(), body };
  const signed = await sign(generic().scheme, outgoing, { secret: stack.secretOf(source), privateKey: null });
  try {
    const response = await fetch(signed.url, { ...signed, body, signal: AbortSignal.timeout(30_000) });
    await response.arrayBuffer();
    return { id, outcome: response.headers.get("holdfast-status") ?? String(response.status), status: response.status };
  } catch {
    return { id, outcome: "no answer", status: 0 };
  }
}

/** Runs every job with so many in flight. */
export async function inFlight<T>(jobs: readonly (() => Promise<T>)[], concurrency: number): Promise<T[]> {
  const results: T[] = [];
  const waiting = [...jobs];
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) results.push(await job());
    }),
  );
  return results;
}

export const isAcked = (sent: Sent): boolean => sent.status >= 200 && sent.status < 300;
