/** Postgres's data folder: made whole or not at all, with a password of its own, reachable for whoever runs it. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { eachLine } from "../lines.ts";
import { nameless, spawnAs, type Account, type Binaries } from "./binaries.ts";

/** The role and the database. */
export const USER = "holdfast";
const PASSWORD_FILE = "holdfast.password";
const KEPT_LINES = 20;

/** In a folder beside, renamed when whole: an interrupted first start leaves nothing that looks like data. */
export async function initialise(dataDir: string, account: Account, binaries: Binaries, throwaway: boolean): Promise<void> {
  const fresh = `${dataDir}.new`;
  const password = randomBytes(24).toString("hex");
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(dirname(dataDir), { recursive: true });
  mkdirSync(fresh, { mode: 0o700 });
  const passwordFile = `${fresh}.password`;
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account.kind === "other") for (const path of [fresh, passwordFile]) chownSync(path, account.uid, account.gid);
  // Handed over as an open file: the account may not be able to walk to it.
  const passwordFd = openSync(passwordFile, "r");
  try {
    const args = [`--pgdata=${folderFor(fresh, account)}`, "--auth=scram-sha-256", `--username=${USER}`];
    args.push(process.platform === "win32" ? `--pwfile=${passwordFile}` : "--pwfile=/dev/fd/3");
    args.push("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8");
    if (throwaway) args.push("--no-sync");
    const mapped = account.kind === "current" && nameless();
    const [command, ...rest] = mapped
      ? ["unshare", "--user", "--map-user=65534", "--map-group=65534", binaries.initdb, ...args]
      : [binaries.initdb, ...args];
    const lines: string[] = [];
    const code = await new Promise<number | null>((resolve) => {
      const child = spawn(command, rest, { ...spawnAs(account), cwd: fresh, stdio: ["ignore", "ignore", "pipe", passwordFd] });
      eachLine(child.stderr, (line) => lines.push(line));
      child.once("error", (error) => {
        lines.push(error.message);
        resolve(null);
      });
      child.once("close", resolve);
    });
    if (code !== 0) {
      const advice = mapped
        ? `\nuid ${process.getuid?.() ?? ""} has no name in /etc/passwd, which Postgres needs: add one, or give --database-url.`
        : "";
      throw new Error(`Postgres could not make its data folder ${dataDir}:\n  ${lines.slice(-KEPT_LINES).join("\n  ")}${advice}`);
    }
    writeFileSync(join(fresh, PASSWORD_FILE), password, { mode: 0o600 });
    renameSync(fresh, dataDir);
    chmodSync(dataDir, 0o700);
  } finally {
    closeSync(passwordFd);
    rmSync(passwordFile, { force: true });
    rmSync(fresh, { recursive: true, force: true });
  }
}

/**
 * Root starts Postgres under another account, which may not be allowed to walk to the folder. A working directory given at
 * the start needs no walk, and Linux names it: every process of the cluster has its own cwd there.
 */
export function folderFor(dataDir: string, account: Account): string {
  return account.kind === "other" && process.platform === "linux" ? "/proc/self/cwd" : dataDir;
}

export function readPassword(dataDir: string): string {
  try {
    return readFileSync(join(dataDir, PASSWORD_FILE), "utf8").trim();
  } catch (cause) {
    throw new Error(
      `${join(dataDir, PASSWORD_FILE)} is missing, so nobody can log in: start with --reset (deletes the data), or give --database-url.`,
      { cause },
    );
  }
}
