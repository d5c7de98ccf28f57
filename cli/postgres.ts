/** Runs an embedded Postgres on 127.0.0.1 for whoever asks: root, an ordinary user, a checkout that only root may enter. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import postgres from "postgres";
import { eachLine } from "./lines.ts";
import { accountFor, binariesFor, spawnAs, type Account, type Binaries } from "./postgres/binaries.ts";
import { folderFor, initialise, readPassword, USER } from "./postgres/data-folder.ts";
import { clearLeftovers } from "./postgres/leftover.ts";
import { until } from "./processes.ts";

export interface PostgresOptions {
  readonly dataDir: string;
  /** Without it: any free port. */
  readonly port?: number;
  readonly log?: (line: string) => void;
  /** For data that nobody needs after the run: no fsync, no flush at commit. */
  readonly throwaway?: boolean;
}

export interface PostgresExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lastLines: readonly string[];
}

export interface RunningPostgres {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly pid: number;
  /** Resolves when it has ended, whoever ended it. */
  readonly exited: Promise<PostgresExit>;
  /** Fast shutdown: open transactions roll back, what is committed is on disk. */
  stop(): Promise<void>;
  /** Lets this process end without waiting for Postgres. */
  unref(): void;
}

const KEPT_LINES = 20;

export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const dataDir = resolve(options.dataDir);
  const account = accountFor(dataDir);
  const binaries = binariesFor(account);
  if (!existsSync(join(dataDir, "PG_VERSION"))) await initialise(dataDir, account, binaries, options.throwaway === true);
  await clearLeftovers(dataDir, options.log ?? (() => {}));
  const password = readPassword(dataDir);
  const startedMs = Date.now();
  for (;;) {
    const port = options.port ?? (await freePort());
    const { started, ...running } = launch(dataDir, account, binaries, port, options);
    const outcome = await started;
    if (outcome === "ready") {
      const url = `postgres://${USER}:${password}@127.0.0.1:${port}/${USER}`;
      await createOwnDatabase(url);
      return { url, port, dataDir, ...running };
    }
    // Two passing reasons: backends of a killed Postgres have not noticed yet, or somebody took the port that was free.
    const passing = outcome.lastLines.some(
      (line) => line.includes("shared memory block") || (options.port === undefined && line.includes("Address already in use")),
    );
    if (!passing || Date.now() - startedMs > 10_000) throw new Error(`Postgres did not start on ${dataDir}:\n  ${outcome.lastLines.join("\n  ")}`);
    await new Promise((again) => setTimeout(again, 250));
  }
}

interface Launched {
  readonly pid: number;
  readonly started: Promise<"ready" | PostgresExit>;
  readonly exited: Promise<PostgresExit>;
  stop(): Promise<void>;
  unref(): void;
}

function launch(dataDir: string, account: Account, binaries: Binaries, port: number, options: PostgresOptions): Launched {
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=200", "cluster_name=holdfast"];
  if (options.throwaway === true) settings.push("fsync=off", "synchronous_commit=off", "full_page_writes=off");
  // Its own process group: Ctrl-C in the terminal must not stop it before the Worker that still writes to it.
  const child = spawn(binaries.postgres, ["-D", folderFor(dataDir, account), "-p", String(port), ...settings.flatMap((one) => ["-c", one])], {
    ...spawnAs(account),
    cwd: dataDir,
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, LC_ALL: "C" },
  });
  const lastLines: string[] = [];
  const ready = new Promise<"ready">((resolve) => {
    eachLine(child.stderr, (line) => {
      lastLines.push(line);
      if (lastLines.length > KEPT_LINES) lastLines.shift();
      options.log?.(line);
      if (line.includes("database system is ready to accept connections")) resolve("ready");
    });
  });
  let ended = false;
  const exited = new Promise<PostgresExit>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null): void => {
      ended = true;
      resolve({ code, signal, lastLines });
    };
    child.once("error", (error) => {
      lastLines.push(error.message);
      end(null, null);
    });
    child.once("exit", end);
  });
  const stop = async (): Promise<void> => {
    for (const name of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
      if (ended) return;
      child.kill(name);
      await until(() => ended, 10_000, 20);
    }
  };
  const unref = (): void => {
    child.unref();
    const stderr: unknown = child.stderr;
    if (typeof stderr === "object" && stderr !== null && "unref" in stderr && typeof stderr.unref === "function") stderr.unref();
  };
  return { pid: child.pid ?? 0, started: Promise.race([ready, exited]), exited, stop, unref };
}

async function createOwnDatabase(url: string): Promise<void> {
  const sql = postgres(url, { max: 1, database: "postgres", onnotice() {} });
  try {
    const found = await sql`select from pg_database where datname = ${USER}`;
    if (found.length === 0) await sql`create database ${sql(USER)}`;
  } finally {
    await sql.end();
  }
}

/** Asked of the system; between this answer and the use somebody else may take it. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => (typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("no free port on 127.0.0.1"))));
    });
  });
}
