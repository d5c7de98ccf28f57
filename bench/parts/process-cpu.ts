/** The CPU time that our child processes of one name have used: unlike the clock, it does not count what other programs take from us. */
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Milliseconds so far; null: not on Linux, or there is no such child. */
export function childCpuMs(name: string): number | null {
  if (!existsSync("/proc/self/task")) return null;
  const children = threadsOf(process.pid).flatMap((thread) => read(`/proc/${process.pid}/task/${thread}/children`).split(" "));
  const named = new Set(children.filter((child) => child !== "" && read(`/proc/${child}/comm`).includes(name)));
  if (named.size === 0) return null;
  const nanoseconds = [...named].flatMap((child) =>
    threadsOf(child).map((thread) => Number(read(`/proc/${child}/task/${thread}/schedstat`).split(" ")[0])),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}

function threadsOf(pid: number | string): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Empty where a thread has just ended. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return "";
  }
}
