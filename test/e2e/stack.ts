/** The real dev stack in a folder of its own, as a process that can be killed; and a sender that signs, posts and remembers every answer. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { readVars } from "../../cli/dev-vars.ts";
import { allPids, commandOf, groupOf, until } from "../../cli/processes.ts";
import { registry } from "../../src/providers/registry.ts";
import { TABLES_SQL } from "../support/own-app.ts";
import { sign } from "../../src/schemes/scheme.ts";

const ROOT = join(import.meta.dirname, "../..");

export interface StackOptions {
  /** An entry with other handlers than src/worker.ts. */
  readonly main?: string;
  readonly databaseUrl?: string;
  readonly vars?: readonly string[];
}

export interface Stack {
  readonly url: string;
  readonly databaseUrl: string;
  readonly adminToken: string;
  readonly secret: string;
  /** All lines it printed so far, over all its lives. */
  readonly lines: string[];
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
  const dataDir = mkdtempSync(join(tmpdir(), "holdfast-e2e-"));
  const lines: string[] = [];
  let child: ChildProcess | null = null;
  let info = { url: "", databaseUrl: "", adminToken: "", varsFile: "" };
  let sql: postgres.Sql | null = null;

  const start = async (): Promise<void> => {
    const flags = [
      "--data-dir",
      dataDir,
      "--port",
      String(await freePort()),
      ...(options.main === undefined ? [] : ["--main", options.main]),
      ...(options.databaseUrl === undefined ? [] : ["--database-url", options.databaseUrl]),
      ...(options.vars ?? []).flatMap((one) => ["--var", one]),
    ];
    const running = spawn(process.execPath, [join(ROOT, "cli/bootstrap.mjs"), "dev", "--json", ...flags], {
      cwd: ROOT,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = running;
    for (const stream of [running.stdout, running.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (text: string) => lines.push(...text.split("\n").filter((line) => line !== "")));
    }
    await waitUntil("the stack to be ready", 90_000, () => {
      if (running.exitCode !== null) throw new Error(`the stack ended:\n${lines.slice(-20).join("\n")}`);
      return readInfo(dataDir) !== null;
    });
    info = readInfo(dataDir) ?? info;
    await sql?.end({ timeout: 1 });
    sql = postgres(info.databaseUrl, { max: 2, onnotice() {} });
    if (options.main !== undefined) for (const statement of TABLES_SQL) await sql.unsafe(statement);
  };

  const group = (): number[] =>
    allPids().filter((pid) => commandOf(pid).includes(dataDir) || (child?.pid !== undefined && groupOf(pid) === child.pid));
  const killAll = async (): Promise<void> => {
    const wranglers = new Set(group().map((pid) => groupOf(pid)));
    const everyone = allPids().filter((pid) => pid !== process.pid && (group().includes(pid) || wranglers.has(groupOf(pid))));
    for (const pid of everyone) kill(pid);
    await waitUntil("every process to be gone", 20_000, () => group().length === 0);
    rmSync(join(dataDir, "dev.json"), { force: true });
  };

  await start();
  return {
    get url() {
      return info.url;
    },
    get databaseUrl() {
      return info.databaseUrl;
    },
    get adminToken() {
      return info.adminToken;
    },
    get secret() {
      return readVars(info.varsFile)["WEBHOOK_SECRET"] ?? "";
    },
    get sql() {
      if (sql === null) throw new Error("the stack has not started");
      return sql;
    },
    lines,
    killAll,
    killRuntime: () => {
      const groups = new Set(group().map((pid) => groupOf(pid)));
      for (const pid of allPids()) {
        const command = commandOf(pid);
        // Of wrangler's two runtimes the user's Worker is the one that can be debugged (PLATFORM 11.8).
        if (groups.has(groupOf(pid)) && command.includes("workerd") && /--debug-port|--inspector-addr/.test(command)) kill(pid);
      }
    },
    start,
    end: async () => {
      await sql?.end({ timeout: 1 });
      child?.kill("SIGTERM");
      await waitUntil("the stack to stop", 30_000, () => child === null || child.exitCode !== null || child.signalCode !== null);
      await killAll();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Also in hooks, where expect.poll is not to be had. */
async function waitUntil(what: string, limitMs: number, holds: () => boolean): Promise<void> {
  if (!(await until(holds, limitMs, 50))) throw new Error(`waited ${limitMs / 1_000} s for ${what}`);
}

/** One that the system hands out: stacks that start side by side must not race for the default. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself meanwhile.
  }
}

function readInfo(dataDir: string): { url: string; databaseUrl: string; adminToken: string; varsFile: string } | null {
  try {
    return JSON.parse(readFileSync(join(dataDir, "dev.json"), "utf8")) as { url: string; databaseUrl: string; adminToken: string; varsFile: string };
  } catch {
    return null;
  }
}

export interface Sent {
  readonly id: string;
  /** `holdfast-status`, else the status; `no answer` where the connection broke. */
  readonly outcome: string;
  readonly status: number;
}

/** One signed delivery of the generic source. */
export async function send(stack: Pick<Stack, "url" | "secret">, id: string, payload: object): Promise<Sent> {
  const provider = registry["generic"]?.();
  if (provider === undefined) throw new Error("no generic preset");
  const url = `${stack.url}/webhooks/generic`;
  const body = new TextEncoder().encode(JSON.stringify({ id, ...payload }));
  const headers = await sign(provider.scheme, { method: "POST", url, id, timestampMs: Date.now(), body }, stack.secret);
  try {
    const response = await fetch(url, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
      signal: AbortSignal.timeout(30_000),
    });
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
