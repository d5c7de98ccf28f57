/**
 * Strikes as the schedule says, one fault after the other, and waits until the stack answers again. What did not hit anything is not counted.
 * On a slow machine it falls behind, and the load with it (`lagMs`): nothing would be done between faults that follow each other at once.
 */
import { setTimeout as wait } from "node:timers/promises";
import type postgres from "postgres";
import type { Gate } from "../../test/support/fault-proxy.ts";
import { signal, until } from "../processes.ts";
import type { ChaosDatabase } from "./database.ts";
import type { FaultKind, PlannedFault } from "./schedule.ts";
import type { ChaosStack } from "./stacks.ts";
import type { Injected } from "./verdict.ts";

export interface Victims {
  readonly stack: ChaosStack;
  readonly database: ChaosDatabase;
  /** Between the Worker and Postgres. */
  readonly gate: Gate;
  /** Past the gate. */
  readonly sql: postgres.Sql;
  /** Keys of events that were delivered just now. */
  readonly recentKeys: () => readonly string[];
}

/** From one fault's end to the next one, at least. */
const REST_MS = 2_000;
const BACK_MS = 60_000;
/** For a statement, or a connection, that a fault waits for. */
const HIT_MS = 5_000;
const STRIKE_MS = 10_000;
const EVICTED = 30;
/** The runner's own connections, which nothing strikes. */
export const OWN_NAME = "chaos";

export interface Nemesis {
  readonly injected: readonly Injected[];
  /** Faults that found nothing to hit. */
  readonly missed: number;
  /** By how much later than planned things happen. */
  readonly lagMs: number;
  /** Resolves when the last one is over, and everything is as it was before. */
  readonly done: Promise<void>;
}

export function startNemesis(faults: readonly PlannedFault[], victims: Victims, stopping: AbortSignal): Nemesis {
  const injected: Injected[] = [];
  const startMs = Date.now();
  let missed = 0;
  let lagMs = 0;
  let restedMs = startMs;
  const run = async (): Promise<void> => {
    for (const { atMs, kind, forMs } of faults) {
      lagMs = Math.max(lagMs, restedMs - startMs - atMs);
      const leftMs = startMs + atMs + lagMs - Date.now();
      if (leftMs > 0) await wait(leftMs, undefined, { signal: stopping }).catch(() => {});
      if (stopping.aborted) return;
      const struckMs = Date.now();
      const hit = await strike(kind, forMs, victims);
      await untilAnswering(victims.stack);
      if (hit) injected.push({ kind, atMs: struckMs, overMs: Date.now() });
      else missed++;
      restedMs = Date.now() + REST_MS;
    }
  };
  return {
    injected,
    get missed() {
      return missed;
    },
    get lagMs() {
      return lagMs;
    },
    done: run(),
  };
}

/** Whether it hit anything. */
async function strike(kind: FaultKind, forMs: number, { stack, database, gate, sql, recentKeys }: Victims): Promise<boolean> {
  switch (kind) {
    case "runtime killed":
      return signalAll(stack.runtimes(), "SIGKILL");
    case "everything killed":
      await Promise.all([stack.kill(), database.kill()]);
      await database.start();
      await stack.start();
      return true;
    case "postgres restarted":
      await database.restart(forMs);
      return true;
    case "postgres killed":
      await database.kill();
      await database.start();
      return true;
    case "connections terminated":
      return until(async () => {
        const ended = await sql`
          select pg_terminate_backend(pid)
          from pg_stat_activity
          where datname = current_database() and backend_type = 'client backend' and application_name <> ${OWN_NAME}`;
        return ended.length > 0;
      }, HIT_MS);
    case "cut before commit":
      gate.become({ kind: "cut-before", at: "commit", how: "close" });
      return whileGate(gate, () => until(() => gate.hasStruck, HIT_MS));
    case "cut after commit":
      gate.become({ kind: "cut-after", at: "commit", how: "reset", answeredBytes: 0 });
      return whileGate(gate, () => until(() => gate.hasStruck, HIT_MS));
    case "connections reset":
    case "line silent": {
      const before = gate.state().connections;
      gate.become({ kind: kind === "line silent" ? "silence" : "reset" });
      return whileGate(gate, async () => {
        await wait(forMs);
        return gate.state().connections > before;
      });
    }
    case "runtime paused":
      return pause(stack.runtimes(), forMs);
    case "postgres paused":
      return pause(database.processes(), forMs);
    case "objects evicted":
      return ask(stack, "evict", { names: recentKeys().slice(-EVICTED) });
    case "queue refuses":
      return askFor(stack, "queue-refuses", forMs);
    case "claims fail":
      return askFor(stack, "claims-fail", forMs);
  }
}

/** One of test/chaos/worker.ts's routes. */
export async function ask(stack: Pick<ChaosStack, "url">, what: string, body: object): Promise<boolean> {
  const request = { method: "POST", body: JSON.stringify(body), signal: AbortSignal.timeout(STRIKE_MS) };
  const answer = await fetch(`${stack.url}/chaos/${what}`, request).catch(() => null);
  await answer?.arrayBuffer().catch(() => null);
  return answer?.status === 200;
}

async function askFor(stack: ChaosStack, what: string, forMs: number): Promise<boolean> {
  const hit = await ask(stack, what, { forMs });
  await wait(forMs);
  return hit;
}

async function whileGate(gate: Gate, work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } finally {
    gate.become({ kind: "none" });
  }
}

async function pause(pids: readonly number[], forMs: number): Promise<boolean> {
  try {
    signalAll(pids, "SIGSTOP");
    await wait(forMs);
    return pids.length > 0;
  } finally {
    signalAll(pids, "SIGCONT");
  }
}

function signalAll(pids: readonly number[], name: NodeJS.Signals): boolean {
  for (const pid of pids) signal(pid, name);
  return pids.length > 0;
}

/** A runtime that is killed while it starts may stay down (PLATFORM 11.8): then the stack is started anew. */
async function untilAnswering(stack: ChaosStack): Promise<void> {
  const isUp = async (): Promise<boolean> => {
    const answer = await fetch(`${stack.url}/healthz`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    await answer?.arrayBuffer().catch(() => null);
    return answer?.status === 200;
  };
  if (await until(isUp, BACK_MS, 100)) return;
  await stack.kill();
  await stack.start();
  if (!(await until(isUp, BACK_MS, 100))) throw new Error("the stack does not answer any more, not even after a new start");
}
