/** One run: the stack comes up, is loaded and struck as the seed says, comes to rest, and is held against Postgres. */
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { Gate } from "../../test/support/fault-proxy.ts";
import type { Signed } from "../../src/schemes/scheme.ts";
import { applyMigrations } from "../migrations.ts";
import { until } from "../processes.ts";
import { say } from "../terminal.ts";
import { audit, glance, TABLES_SQL } from "./audit.ts";
import { startDatabase } from "./database.ts";
import { ask, OWN_NAME, startNemesis } from "./nemesis.ts";
import { progressLine, report } from "./report.ts";
import { makeSchedule, type PlannedEvent } from "./schedule.ts";
import { isAck, startSending } from "./sender.ts";
import { bodyOf, newSecrets, requestOf } from "./sources.ts";
import { devStack, miniflareStack } from "./stacks.ts";
import { judge, keyOf, type Verdict } from "./verdict.ts";

export interface ChaosOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly stack: "miniflare" | "dev";
  readonly eventsPerSecond: number;
  /** The data and the Worker's log, also when nothing is wrong. */
  readonly keep: boolean;
  readonly json: boolean;
}

/** After the last fault; past it, what is open counts as stuck. */
const SETTLE_MS = 120_000;
/** A claim is a file, and an fsync that a kill has no use for: on a slow disk the disk would be what is measured. */
const IN_MEMORY = "/dev/shm";
const PROGRESS_MS = 5_000;
const SWEEP_MS = 15_000;
const RECENT = 30;

/** Resolves to the exit code: 0 nothing was lost, doubled or stuck. */
export async function runChaos({ minutes, seed, stack: kind, eventsPerSecond, keep, json }: ChaosOptions): Promise<number> {
  const durationMs = minutes * 60_000;
  const schedule = makeSchedule({ seed, durationMs, eventsPerSecond });
  const digests = new Map(schedule.events.map((event) => [keyOf(event), createHash("sha256").update(bodyOf(event)).digest("hex")]));
  const stopping = new AbortController();
  const onSignal = (): void => stopping.abort();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of signals) process.on(name, onSignal);
  process.on("unhandledRejection", onUnhandled);
  const folder = mkdtempSync(join(existsSync(IN_MEMORY) ? IN_MEMORY : tmpdir(), "holdfast-chaos-"));
  const endings: (() => Promise<unknown>)[] = [];
  let isKept = true;
  try {
    say(
      `seed ${seed}: ${schedule.deliveries.length} deliveries of ${schedule.events.length} events and ${schedule.faults.length} faults in ${minutes} min on ${kind}; data in ${folder}`,
    );
    const database = await startDatabase(join(folder, "postgres"));
    endings.push(() => database.stop());
    await applyMigrations(database.url);
    const sql = postgres(database.url, { max: 2, onnotice() {}, connection: { application_name: OWN_NAME }, connect_timeout: 5, fetch_types: false });
    endings.push(() => sql.end({ timeout: 1 }));
    for (const statement of TABLES_SQL) await sql.unsafe(statement);
    const gate = new Gate({ kind: "none" }, database.port);
    const gated = new URL(database.url);
    gated.port = String(await gate.open());
    const listener = await startListener();
    endings.push(() => listener.close());
    const vars = { ...(await newSecrets()), LISTENER: listener.url };
    const stack = await (kind === "dev" ? devStack : miniflareStack)({ folder, databaseUrl: gated.href, vars });
    endings.push(() => stack.end());
    // `npm run dev` sweeps by itself.
    const sweeping = kind === "dev" ? undefined : setInterval(() => void ask(stack, "sweep", {}), SWEEP_MS);

    const startMs = Date.now();
    const recentKeys = (): string[] => sender.answers.slice(-RECENT).map(({ event }) => keyOf(event));
    const nemesis = startNemesis(schedule.faults, { stack, database, gate, sql, recentKeys }, stopping.signal);
    const make = (event: PlannedEvent): Promise<Signed> => requestOf(event, stack.url, vars, Date.now());
    const sender = startSending(schedule.deliveries, make, () => nemesis.lagMs);
    stopping.signal.addEventListener("abort", () => sender.stop());
    const tell = async (): Promise<void> => {
      const seen = await glance(sql).catch(() => ({ effects: null, open: null }));
      const acked = sender.answers.filter(isAck).length;
      const { injected } = nemesis;
      const now = { sent: sender.sent, acked, ...seen, faults: injected.length, last: injected.at(-1)?.kind ?? "" };
      say(progressLine(Date.now() - startMs - nemesis.lagMs, durationMs, now));
    };
    const progress = setInterval(() => void tell(), PROGRESS_MS);
    try {
      await Promise.all([nemesis.done, sender.done]);
      const loadedMs = Date.now();
      const lastFaultMs = nemesis.injected.at(-1)?.overMs ?? startMs;
      const verdictNow = async (): Promise<Verdict> => {
        const { answers, sent } = sender;
        const { injected: faults } = nemesis;
        return judge({ events: schedule.events, sent, answers, ...(await audit(sql)), heard: listener.heard, digests, faults });
      };
      let verdict = await verdictNow();
      const settled = await until(
        async () => {
          verdict = await verdictNow();
          return verdict.ok || stopping.signal.aborted;
        },
        lastFaultMs + SETTLE_MS - Date.now(),
        1_000,
      );
      const run = {
        seed,
        stack: kind,
        startMs,
        durationMs: loadedMs - startMs,
        missed: nemesis.missed,
        settledAfterMs: settled ? Date.now() - lastFaultMs : null,
      };
      const ackTimesMs = sender.answers.filter(isAck).map(({ atMs }) => atMs);
      console.log(json ? JSON.stringify({ ...run, ...verdict }) : report(verdict, run, ackTimesMs, nemesis.injected));
      isKept = keep || !verdict.ok;
      if (isKept) say(`the Worker's log and the data are kept in ${folder}`);
      if (stopping.signal.aborted) return 130;
      return verdict.ok ? 0 : 1;
    } finally {
      clearInterval(progress);
      clearInterval(sweeping);
      sender.stop();
    }
  } finally {
    for (const end of endings.toReversed()) await end().catch(() => {});
    if (!isKept) rmSync(folder, { recursive: true, force: true });
    for (const name of signals) process.off(name, onSignal);
    process.off("unhandledRejection", onUnhandled);
  }
}

/** When its server dies, postgres.js also rejects promises that nobody was given (PLATFORM 11.5); whoever asked has been told. */
function onUnhandled(error: unknown): void {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!/^(?:CONNECTION_|CONNECT_|57P0|ECONN)/.test(code)) throw error;
}

/** Whom `after` calls: it refuses each key's first call, so that every one of them has to be made again. */
async function startListener(): Promise<{ readonly url: string; readonly heard: ReadonlySet<string>; close(): Promise<void> }> {
  const refused = new Set<string>();
  const heard = new Set<string>();
  const server = createServer((request, response) => {
    const key = decodeURIComponent((request.url ?? "/").slice(1));
    const isTaken = refused.has(key);
    (isTaken ? heard : refused).add(key);
    response.writeHead(isTaken ? 200 : 503).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, heard, close };
}
