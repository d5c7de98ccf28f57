/** The two stacks that a run can strike: Miniflare alone, quick to die and to come back, and `npm run dev` as a developer has it. */
import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { DevStack } from "../../test/support/dev-stack.ts";
import { freePort } from "../postgres.ts";
import { allPids, commandOf, parentOf, signal, until } from "../processes.ts";
import { ROOT } from "../root.ts";
import { runTool } from "../run.ts";
import type { ChildSettings } from "./miniflare-child.ts";

export interface ChaosStack {
  readonly url: string;
  start(): Promise<void>;
  /** SIGKILL to every process of it at once, as a power cut would. */
  kill(): Promise<void>;
  /** The Workers runtimes that run the Worker now. Whoever started them starts them again. */
  runtimes(): readonly number[];
  end(): Promise<void>;
}

export interface StackSettings {
  /** Where everything of it lies. */
  readonly folder: string;
  readonly databaseUrl: string;
  readonly vars: Readonly<Record<string, string>>;
}

const WORKER = join("test", "chaos", "worker.ts");
const UP_MS = 60_000;
const GONE_MS = 10_000;

export async function miniflareStack({ folder, databaseUrl, vars }: StackSettings): Promise<ChaosStack> {
  const bundle = join(folder, "bundle");
  const { code, output } = await runTool("wrangler", ["deploy", WORKER, "--dry-run", "--outdir", bundle, "--define", "DEV:true"], "keep");
  if (code !== 0) throw new Error(`the Worker could not be bundled:\n${output}`);
  const port = await freePort();
  const storage = join(folder, "storage");
  const settings: ChildSettings = { port, script: join(bundle, "worker.js"), storage, databaseUrl, vars: { ...vars, TIMINGS: "fast" } };
  const log = createWriteStream(join(folder, "worker.log"), { flags: "a" });
  let pid = 0;
  let ended = true;
  const start = async (): Promise<void> => {
    // Its stdin ends with us, and it with its stdin.
    const child = spawn(process.execPath, ["--no-warnings", join(ROOT, "cli", "chaos", "miniflare-child.ts"), JSON.stringify(settings)], {
      cwd: ROOT,
      stdio: ["pipe", "pipe", "pipe"],
    });
    pid = child.pid ?? 0;
    ended = false;
    child.once("exit", () => (ended = true));
    for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
    let isReady = false;
    child.stdout.on("data", (text: Buffer) => (isReady ||= text.includes("ready")));
    await until(() => isReady || ended, UP_MS);
    if (!isReady) throw new Error(`Miniflare did not start: see ${join(folder, "worker.log")}`);
  };
  const runtimes = (): number[] => allPids().filter((one) => parentOf(one) === pid && commandOf(one).includes("workerd"));
  const kill = async (): Promise<void> => {
    const all = [pid, ...runtimes()];
    // The parent first: it would start its runtime again.
    for (const one of all) signal(one, "SIGKILL");
    await until(() => ended && !all.slice(1).some((one) => commandOf(one).includes("workerd")), GONE_MS);
  };
  await start();
  return { url: `http://127.0.0.1:${port}`, start, kill, runtimes, end: kill };
}

export async function devStack({ folder, databaseUrl, vars }: StackSettings): Promise<ChaosStack> {
  const dataDir = join(folder, "dev");
  const port = await freePort();
  const flags = Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
  const log = createWriteStream(join(folder, "worker.log"), { flags: "a" });
  const live = async (): Promise<DevStack> => {
    const stack = new DevStack(dataDir, ["--port", String(port), "--main", WORKER, "--database-url", databaseUrl, ...flags]);
    await stack.ready();
    return stack;
  };
  let stack = await live();
  const kill = async (): Promise<void> => {
    log.write(`${stack.output}\n`);
    await stack.kill();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    start: async () => {
      stack = await live();
    },
    kill,
    runtimes: () => stack.processes().filter((pid) => /workerd .*--debug-port/.test(commandOf(pid))),
    end: async () => {
      await stack.stop();
      await kill();
    },
  };
}
