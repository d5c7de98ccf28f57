/** The Postgres of a run: stopped, killed, paused, and always started again on the same port and data. */
import { once } from "node:events";
import { startPostgres, type RunningPostgres } from "../postgres.ts";
import { allPids, identify, parentOf, signal, until } from "../processes.ts";

export interface ChaosDatabase {
  /** The server itself, whatever stands in front of it. */
  readonly url: string;
  readonly port: number;
  /** Fast shutdown, so long away, back. */
  restart(awayMs: number): Promise<void>;
  /** SIGKILL to the postmaster. What was committed is in its log. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** The postmaster and everything that it has started. */
  processes(): readonly number[];
  stop(): Promise<void>;
}

/** While it was away, somebody's outgoing connection may have been given its port, for as long as that lasts. */
const UP_MS = 60_000;
const GONE_MS = 10_000;

export async function startDatabase(dataDir: string): Promise<ChaosDatabase> {
  let running: RunningPostgres = await startPostgres({ dataDir });
  const { port, url } = running;
  const start = async (): Promise<void> => {
    let failure: unknown = null;
    const isUp = await until(
      async () => {
        try {
          running = await startPostgres({ dataDir, port });
          return true;
        } catch (error) {
          failure = error;
          return false;
        }
      },
      UP_MS,
      500,
    );
    if (!isUp) throw failure;
  };
  const processes = (): number[] => [running.pid, ...allPids().filter((pid) => parentOf(pid) === running.pid)];
  return {
    url,
    port,
    start,
    processes,
    restart: async (awayMs) => {
      await running.stop();
      await once(AbortSignal.timeout(awayMs), "abort");
      await start();
    },
    kill: async () => {
      const all = processes();
      signal(running.pid, "SIGKILL");
      await running.exited;
      // Its backends end when they notice; until then nobody can start on the data.
      await until(() => all.every((pid) => identify(pid) === null), GONE_MS);
    },
    stop: () => running.stop(),
  };
}
