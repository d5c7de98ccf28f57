/** One dev stack per data folder: pids.json says whose it is, and what a killed run left behind. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allPids, commandOf, groupOf, identify, isAlive, signal, until, type ProcessIdentity } from "../processes.ts";
import { ROOT } from "../root.ts";

interface PidsFile {
  readonly launcher: ProcessIdentity;
  /** Whoever started it (npm, the bootstrap): when they are gone, it stops by itself. */
  readonly callers: readonly ProcessIdentity[];
  /** The process group of wrangler and its workerds. */
  readonly wrangler?: ProcessIdentity;
}

export type Judgement =
  | { readonly kind: "free" }
  | { readonly kind: "leftover"; readonly wranglerGroup: number | null }
  | { readonly kind: "stopping"; readonly pid: number }
  | { readonly kind: "taken"; readonly pid: number };

/** Pure over `alive`. A launcher whose caller was killed is about to stop: it watches them. */
export function judge(text: string | null, alive: (known: ProcessIdentity) => boolean): Judgement {
  const file = parse(text);
  if (file === null) return text === null ? { kind: "free" } : { kind: "leftover", wranglerGroup: null };
  if (!alive(file.launcher)) return { kind: "leftover", wranglerGroup: file.wrangler?.pid ?? null };
  return { kind: file.callers.every(alive) ? "taken" : "stopping", pid: file.launcher.pid };
}

export interface Ownership {
  recordWrangler(pid: number): void;
  release(): void;
}

const STOPPING_MS = 40_000;

/** Takes the folder, after ending what a killed run left. Throws a sentence when a live stack has it. */
export async function takeOwnership(dataDir: string, callers: readonly ProcessIdentity[], say: (line: string) => void): Promise<Ownership> {
  const path = join(dataDir, "pids.json");
  const launcher = identify(process.pid) ?? { pid: process.pid, startedAt: "" };
  const file = { launcher, callers };
  for (;;) {
    if (create(path, file)) break;
    const judgement = judge(readOrNull(path), isAlive);
    if (judgement.kind === "taken") throw new Error(taken(judgement.pid, dataDir));
    if (judgement.kind === "stopping") {
      say(`an earlier dev stack (pid ${judgement.pid}) is stopping; waiting for it ...`);
      const { pid } = judgement;
      if (!(await until(() => judge(readOrNull(path), isAlive).kind !== "stopping", STOPPING_MS))) throw new Error(taken(pid, dataDir));
      continue;
    }
    if (judgement.kind === "leftover") {
      if (judgement.wranglerGroup !== null) await endOrphans(judgement.wranglerGroup, say);
      rmSync(path, { force: true });
    }
  }
  return {
    recordWrangler: (pid) => writeFileSync(path, JSON.stringify({ ...file, wrangler: identify(pid) ?? { pid, startedAt: "" } }), { mode: 0o600 }),
    release: () => rmSync(path, { force: true }),
  };
}

function taken(pid: number, dataDir: string): string {
  return `another dev stack (pid ${pid}) is running on ${dataDir}: use that one, stop it (kill ${pid}), or give another --data-dir.`;
}

/** The group's leader may be dead and its number somebody else's: only members that run this checkout's programs are ours. */
async function endOrphans(group: number, say: (line: string) => void): Promise<void> {
  const orphans = processesOf(group);
  if (orphans.length === 0) return;
  say(`ending what an earlier run left behind (pids ${orphans.map((one) => one.pid).join(", ")})`);
  for (const one of orphans) signal(one.pid, "SIGKILL");
  await until(() => !orphans.some(isAlive), 10_000);
}

function processesOf(group: number): ProcessIdentity[] {
  return allPids()
    .filter((pid) => groupOf(pid) === group && commandOf(pid).includes(join(ROOT, "node_modules")))
    .map(identify)
    .filter((one) => one !== null);
}

function create(path: string, file: PidsFile): boolean {
  try {
    writeFileSync(path, JSON.stringify(file), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function parse(text: string | null): PidsFile | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && "launcher" in value && "callers" in value && Array.isArray(value.callers))
      return value as PidsFile;
  } catch {
    // Half written by a run that was killed.
  }
  return null;
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
