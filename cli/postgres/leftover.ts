/** Decides what a postmaster.pid of an earlier run means: nothing, a Postgres of ours that outlived its owner, or a stale note. */
import { readFileSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { commandOf, identify, isAlive, signal, until, workingDirectoryOf } from "../processes.ts";

export type PidFile = { readonly kind: "none" } | { readonly kind: "stale" } | { readonly kind: "running"; readonly pid: number };

/**
 * Pure. `servesThisFolder` tells a Postgres of this data folder from whoever has the pid now: Postgres itself refuses to start
 * when any process has it, a zombie or a stranger included.
 */
export function judgePidFile(text: string | null, servesThisFolder: (pid: number) => boolean): PidFile {
  if (text === null) return { kind: "none" };
  const pid = Number(text.split("\n", 1)[0]);
  return Number.isInteger(pid) && pid > 0 && servesThisFolder(pid) ? { kind: "running", pid } : { kind: "stale" };
}

/** Stops what still runs on the folder and takes away its note. The caller holds the folder: nobody alive owns that Postgres. */
export async function clearLeftovers(dataDir: string, log: (line: string) => void): Promise<void> {
  const path = join(dataDir, "postmaster.pid");
  const found = judgePidFile(read(path), (pid) => serves(pid, dataDir));
  if (found.kind === "none") return;
  if (found.kind === "running") {
    log(`stopping the Postgres of an earlier run (pid ${found.pid})`);
    const orphan = identify(found.pid);
    for (const name of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
      if (orphan === null || !isAlive(orphan)) break;
      signal(found.pid, name);
      await until(() => !isAlive(orphan), 8_000);
    }
    if (orphan !== null && isAlive(orphan))
      throw new Error(`the Postgres of an earlier run (pid ${found.pid}) does not stop: end it, then start again.`);
  }
  rmSync(path, { force: true });
}

function serves(pid: number, dataDir: string): boolean {
  if (identify(pid) === null) return false;
  const command = commandOf(pid);
  if (!command.includes("postgres")) return false;
  const folder = realpathSync(dataDir);
  const cwd = workingDirectoryOf(pid);
  return cwd === null ? command.includes(dataDir) || command.includes(folder) : cwd === folder;
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
