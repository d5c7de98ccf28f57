/** The real dev stack, as `npm run dev` starts it, in a data folder of its own: started, asked to stop, or killed. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allPids, commandOf, groupOf, identify, until } from "../../cli/processes.ts";
import { ROOT } from "../../cli/root.ts";

export interface DevJson {
  readonly url: string;
  readonly databaseUrl: string;
  readonly adminToken: string;
  readonly varsFile: string;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const READY_MS = 110_000;
const BOOTSTRAP = join(ROOT, "cli", "bootstrap.mjs");

export class DevStack {
  readonly dataDir: string;
  readonly #child: ChildProcess;
  readonly #lines: string[] = [];
  readonly #ended: Promise<Ended>;
  #isOver = false;
  /** Wrangler's process group: its workerds name no folder. Known once it is up. */
  #wranglerGroup: number | null = null;

  constructor(dataDir: string, args: readonly string[]) {
    this.dataDir = dataDir;
    rmSync(join(dataDir, "dev.json"), { force: true });
    // A group of its own, as a terminal gives it: signals to the group reach what Ctrl-C reaches.
    this.#child = spawn(process.execPath, [BOOTSTRAP, "dev", "--data-dir", dataDir, "--json", ...args], {
      cwd: ROOT,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, npm_lifecycle_event: undefined },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => this.#lines.push(...text.split("\n")));
    }
    this.#ended = new Promise((resolve) => {
      this.#child.once("close", (code, signal) => {
        this.#isOver = true;
        resolve({ code, signal });
      });
    });
  }

  get output(): string {
    return this.#lines.join("\n");
  }

  /** Resolves once it answers; rejects with its output when it ends first. */
  async ready(): Promise<DevJson> {
    const up = await until(() => this.#isOver || this.#devJson() !== null, READY_MS);
    const found = this.#devJson();
    if (up && found !== null) {
      this.#wranglerGroup = this.wranglerPid();
      return found;
    }
    throw new Error(`the dev stack did not come up:\n${this.output}`);
  }

  /** As Ctrl-C (SIGINT), `kill` (SIGTERM) or a closed terminal (SIGHUP) do. */
  async stop(name: "SIGINT" | "SIGTERM" | "SIGHUP" = "SIGTERM"): Promise<Ended> {
    this.#signal(-(this.#child.pid ?? 0), name);
    return this.#ended;
  }

  /** SIGKILL to every process of the stack at once, as a crash of the machine would: nothing is cleaned up. */
  async kill(): Promise<Ended> {
    for (const pid of this.processes()) this.#signal(pid, "SIGKILL");
    this.#signal(-(this.#child.pid ?? 0), "SIGKILL");
    await until(() => this.processes().length === 0, 10_000);
    return this.#ended;
  }

  /** SIGKILL to the command alone: Postgres, wrangler and its workerds live on as orphans. */
  async abandon(): Promise<Ended> {
    this.#signal(-(this.#child.pid ?? 0), "SIGKILL");
    return this.#ended;
  }

  ended(): Promise<Ended> {
    return this.#ended;
  }

  /** Everything that runs for this data folder, the command itself aside. */
  processes(): number[] {
    return allPids().filter((pid) => pid !== this.#child.pid && pid !== process.pid && identify(pid) !== null && this.#owns(pid));
  }

  /** SIGKILL to the user's runtime alone, the one of wrangler's two that can be debugged (PLATFORM 11.8). Wrangler starts it again. */
  killRuntime(): void {
    for (const pid of this.processes()) if (/workerd .*--debug-port/.test(commandOf(pid))) this.#signal(pid, "SIGKILL");
  }

  /** The Postgres of this folder. */
  postgresPid(): number {
    return Number(readFileSync(join(this.dataDir, "postgres", "postmaster.pid"), "utf8").split("\n", 1)[0]);
  }

  wranglerPid(): number {
    const { wrangler } = JSON.parse(readFileSync(join(this.dataDir, "pids.json"), "utf8")) as { wrangler: { pid: number } };
    return wrangler.pid;
  }

  #owns(pid: number): boolean {
    return (this.#wranglerGroup !== null && groupOf(pid) === this.#wranglerGroup) || belongs(pid, this.dataDir);
  }

  #devJson(): DevJson | null {
    try {
      return JSON.parse(readFileSync(join(this.dataDir, "dev.json"), "utf8")) as DevJson;
    } catch {
      return null;
    }
  }

  #signal(pid: number, name: NodeJS.Signals): void {
    try {
      process.kill(pid, name);
    } catch {
      // It has ended.
    }
  }
}

export function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), "holdfast-e2e-"));
}

export function startDevStack(dataDir: string, ...args: string[]): DevStack {
  return new DevStack(dataDir, args);
}

/** A command of the CLI, run to its end. */
export function runCommand(...args: string[]): { readonly code: number | null; readonly stdout: string; readonly stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BOOTSTRAP, ...args], { cwd: ROOT, encoding: "utf8", timeout: 180_000 });
  return { code: status, stdout, stderr };
}

/** A command of the CLI that gets Ctrl-C as soon as it has said this. */
export function interruptCommand(atWords: string, ...args: string[]): Promise<Ended & { readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [BOOTSTRAP, ...args], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"], timeout: 180_000 });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    const isNew = !stderr.includes(atWords);
    stderr += text;
    if (isNew && stderr.includes(atWords)) child.kill("SIGINT");
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** Its command line names the folder, or it works there (Postgres and its backends do). */
function belongs(pid: number, dataDir: string): boolean {
  try {
    return commandOf(pid).includes(dataDir) || readlinkSync(`/proc/${pid}/cwd`).startsWith(dataDir);
  } catch {
    return false;
  }
}
