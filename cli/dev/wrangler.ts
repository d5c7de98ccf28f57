/** Runs `wrangler dev` as a group of its own, offline and without questions, and ends the whole group. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { eachLine } from "../lines.ts";
import { allPids, groupOf, signal, until } from "../processes.ts";
import { ROOT } from "../root.ts";

export interface WranglerOptions {
  readonly port: number;
  readonly dataDir: string;
  readonly varsFile: string;
  readonly databaseUrl: string;
  readonly fastTimings: boolean;
  readonly vars: readonly string[];
  /** Another entry than wrangler.toml's. */
  readonly main: string | null;
  /** Fault points compiled in: for the crash tests alone. */
  readonly faults: boolean;
}

export interface RunningWrangler {
  readonly pid: number;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  stop(): Promise<void>;
}

const GRACE_MS = 8_000;

export function startWrangler(options: WranglerOptions, line: (text: string) => void): RunningWrangler {
  const entry = createRequire(import.meta.url).resolve("wrangler");
  const child = spawn(process.execPath, ["--no-warnings", entry, ...wranglerArguments(options)], {
    cwd: ROOT,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...wranglerEnvironment(options) },
  });
  eachLine(child.stdout, line);
  eachLine(child.stderr, line);
  let ended = false;
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once("error", (error) => {
      ended = true;
      line(error.message);
      resolve({ code: null, signal: null });
    });
    child.once("exit", (code, name) => {
      ended = true;
      resolve({ code, signal: name });
    });
  });
  const pid = child.pid ?? 0;
  const stop = async (): Promise<void> => {
    // Wrangler alone: it ends its workerds in order; were they signalled too, it would take that for a crash and restart them.
    if (!ended) child.kill("SIGINT");
    await until(() => ended, GRACE_MS, 20);
    if (pid > 0) signal(pid, "SIGKILL", "group");
    await until(() => !allPids().some((one) => groupOf(one) === pid), GRACE_MS, 20);
  };
  return { pid, exited, stop };
}

/** Pure. */
export function wranglerArguments(options: WranglerOptions): string[] {
  const vars = [...(options.fastTimings ? ["TIMINGS:fast"] : []), ...options.vars];
  return [
    "dev",
    ...(options.main === null ? [] : [options.main]),
    "--ip",
    "127.0.0.1",
    "--port",
    String(options.port),
    "--persist-to",
    join(options.dataDir, "wrangler"),
    "--env-file",
    options.varsFile,
    "--define",
    "DEV:true",
    "--define",
    `FAULTS:${options.faults}`,
    ...vars.flatMap((one) => ["--var", one]),
    "--show-interactive-dev-session=false",
  ];
}

/** Pure. What keeps it offline, quiet, and apart from other stacks: with a shared registry one stack's queue could feed another's Worker. */
export function wranglerEnvironment(options: WranglerOptions): Record<string, string> {
  return {
    CLOUDFLARE_HYPERDRIVE_LOCAL_CONNECTION_STRING_HYPERDRIVE: options.databaseUrl,
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    // Secrets come from --env-file alone, and nothing of the shell's environment becomes a variable of the Worker.
    CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: "true",
    CLOUDFLARE_INCLUDE_PROCESS_ENV: "false",
    WRANGLER_SEND_METRICS: "false",
    WRANGLER_HIDE_BANNER: "true",
    WRANGLER_LOG_PATH: join(options.dataDir, "wrangler-logs"),
    WRANGLER_REGISTRY_PATH: join(options.dataDir, "wrangler-registry"),
    NO_COLOR: "1",
    FORCE_COLOR: "0",
  };
}
