/** One throwaway Postgres per test run, and a migrated database of its own for whoever asks. */
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { applyMigrations } from "../../cli/migrations.ts";
import { startPostgres } from "../../cli/postgres.ts";

export interface TestDatabases {
  /** The server's maintenance database, for tests that look at or break connections (`pg_stat_activity`, `pg_terminate_backend`). */
  readonly adminUrl: string;
  /** A fresh copy of the migrated template under that name; an older one of the same name is dropped. Resolves to its url. */
  createDatabase(name: string): Promise<string>;
}

/** Child processes and vitest's workers inherit it, and use the Postgres that it names. */
const VARIABLE = "HOLDFAST_TEST_POSTGRES";
const TEMPLATE = "holdfast_template";

let memo: Promise<TestDatabases> | undefined;

export function testDatabases(): Promise<TestDatabases> {
  memo ??= open();
  return memo;
}

async function open(): Promise<TestDatabases> {
  const adminUrl = process.env[VARIABLE] ?? (await start());
  process.env[VARIABLE] = adminUrl;
  return { adminUrl, createDatabase: (name) => createDatabase(adminUrl, name) };
}

async function start(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-test-"));
  const server = await startPostgres({ dataDir: join(folder, "postgres"), throwaway: true });
  endWithThisProcess(server.pid, folder);
  server.unref();
  const adminUrl = withDatabase(server.url, "postgres");
  const sql = postgres(adminUrl, { max: 1, onnotice() {} });
  try {
    await sql`create database ${sql(TEMPLATE)}`;
    await applyMigrations(withDatabase(server.url, TEMPLATE));
    await sql`alter database ${sql(TEMPLATE)} allow_connections false`;
  } finally {
    await sql.end();
  }
  return adminUrl;
}

async function createDatabase(adminUrl: string, name: string): Promise<string> {
  const database = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "_")
    .slice(-60);
  const sql = postgres(adminUrl, { max: 1, onnotice() {} });
  try {
    await sql`drop database if exists ${sql(database)} with (force)`;
    await sql`create database ${sql(database)} template ${sql(TEMPLATE)}`;
  } finally {
    await sql.end();
  }
  return withDatabase(adminUrl, database);
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/**
 * A shell in a session of its own waits for the end of its input, which comes when this process ends in whatever way,
 * SIGKILL included; then it stops Postgres at once and deletes the data.
 */
function endWithThisProcess(pid: number, folder: string): void {
  if (process.platform === "win32") {
    process.once("exit", () => process.kill(pid));
    return;
  }
  const script =
    'cat >/dev/null; kill -QUIT "$1" 2>/dev/null; i=0; while [ $i -lt 100 ] && kill -0 "$1" 2>/dev/null; do sleep 0.1; i=$((i+1)); done; rm -rf "$2"';
  const guard = spawn("sh", ["-c", script, "sh", String(pid), folder], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  guard.unref();
  const input: unknown = guard.stdin;
  if (typeof input === "object" && input !== null && "unref" in input && typeof input.unref === "function") input.unref();
}
