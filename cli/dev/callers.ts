/** Who started this command: when npm or the bootstrap is killed outright, no signal says so, and the stack must not live on alone. */
import { commandOf, identify, isAlive, parentOf, type ProcessIdentity } from "../processes.ts";

const LOOK_EVERY_MS = 500;
const GENERATIONS = 6;

/** From the parent up to npm; only the bootstrap, or nobody, where npm has no part in it (a shell may end without meaning us). */
export function callers(): ProcessIdentity[] {
  const bootstrap = Number(process.env["HOLDFAST_LAUNCHER"] ?? Number.NaN);
  const chain: number[] = [];
  for (let pid = parentOf(process.pid); pid !== null && pid > 1 && chain.length < GENERATIONS; pid = parentOf(pid)) {
    chain.push(pid);
    if (process.env["npm_lifecycle_event"] !== undefined && /(^|\/)npm\b/.test(commandOf(pid))) return present(chain);
  }
  return present(chain.includes(bootstrap) ? [bootstrap] : []);
}

/** Calls back once, as soon as one of them is gone. Returns what ends the watch. */
export function watch(processes: readonly ProcessIdentity[], gone: () => void): () => void {
  if (processes.length === 0) return () => {};
  const timer = setInterval(() => {
    if (processes.every(isAlive)) return;
    clearInterval(timer);
    gone();
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

const present = (pids: readonly number[]): ProcessIdentity[] => pids.map(identify).filter((one) => one !== null);
