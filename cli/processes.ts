/** Says which process a pid is, so that a number that the system has given to somebody else is never signalled. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** A pid alone is reused; with its start time it names one process for as long as the machine is up. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

/** Null when there is no such process, or only its zombie (containers without an init keep those). */
export function identify(pid: number): ProcessIdentity | null {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  if (process.platform === "linux") {
    const fields = statFields(pid);
    if (fields === null || fields[0] === "Z" || fields[0] === "X") return null;
    return { pid, startedAt: `${bootId()}:${fields[19] ?? ""}` };
  }
  const started = ps(pid, "lstart=");
  return started === "" || ps(pid, "state=").startsWith("Z") ? null : { pid, startedAt: started };
}

export function isAlive(known: ProcessIdentity): boolean {
  return identify(known.pid)?.startedAt === known.startedAt;
}

export function parentOf(pid: number): number | null {
  if (process.platform === "linux") {
    const parent = Number(statFields(pid)?.[1] ?? Number.NaN);
    return Number.isInteger(parent) && parent > 0 ? parent : null;
  }
  const parent = Number(ps(pid, "ppid=") || Number.NaN);
  return Number.isInteger(parent) && parent > 0 ? parent : null;
}

/** The process group; null where it cannot be told. */
export function groupOf(pid: number): number | null {
  const group = Number(process.platform === "linux" ? (statFields(pid)?.[2] ?? Number.NaN) : ps(pid, "pgid=") || Number.NaN);
  return Number.isInteger(group) && group > 0 ? group : null;
}

/** Every pid of this machine that we may see. */
export function allPids(): number[] {
  if (process.platform === "linux") return readdirSync("/proc").map(Number).filter(Number.isInteger);
  if (process.platform === "win32") return [];
  return execFileSync("ps", ["-axo", "pid="], { encoding: "utf8" })
    .split("\n")
    .map(Number)
    .filter((pid) => pid > 0);
}

export function commandOf(pid: number): string {
  if (process.platform !== "linux") return ps(pid, "command=");
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
  } catch {
    return "";
  }
}

/** Linux only: null elsewhere, and where the process belongs to somebody else. */
export function workingDirectoryOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

/** Signals a process and, where it leads one, its group. That it is gone already is what the caller wants. */
export function signal(pid: number, name: NodeJS.Signals, group: "group" | "alone" = "alone"): void {
  try {
    process.kill(group === "group" && process.platform !== "win32" ? -pid : pid, name);
  } catch {
    // ESRCH: it has ended.
  }
}

/** True once `done` holds, false when it still does not after `timeoutMs`. */
export async function until(done: () => boolean | Promise<boolean>, timeoutMs: number, everyMs = 50): Promise<boolean> {
  const endMs = Date.now() + timeoutMs;
  for (;;) {
    if (await done()) return true;
    if (Date.now() >= endMs) return false;
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** /proc/<pid>/stat after the command's name, which may hold spaces and parentheses: state, ppid, ... field 20 is the start time. */
function statFields(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

let boot: string | undefined;
function bootId(): string {
  try {
    boot ??= readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    boot = "";
  }
  return boot;
}

function ps(pid: number, column: string): string {
  try {
    return execFileSync("ps", ["-o", column, "-p", String(pid)], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "";
  }
}
