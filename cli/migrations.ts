/** Applies the SQL under migrations/ (Holdfast's) and migrations/app/ (the user's), each with its own journal and bookkeeping table. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import { ROOT } from "./root.ts";

const SETS = [
  { folder: "migrations", table: "holdfast_migrations" },
  { folder: "migrations/app", table: "app_migrations" },
] as const;

/** Any fixed number: everybody who migrates this database asks for the same lock. */
const LOCK = 4_865_200_137;

export interface AppliedMigrations {
  readonly folder: string;
  /** Migrations that this run applied. */
  readonly applied: number;
}

/** `url` is a direct connection: a pooler may not keep one session, which the lock and the DDL need. */
export async function applyMigrations(url: string): Promise<AppliedMigrations[]> {
  const sql = postgres(url, { max: 1, onnotice() {} });
  try {
    await sql`select pg_advisory_lock(${LOCK})`;
    const results: AppliedMigrations[] = [];
    for (const { folder, table } of SETS) {
      if (!existsSync(join(ROOT, folder, "meta", "_journal.json"))) continue;
      const before = await count(sql, table);
      await migrate(drizzle(sql), { migrationsFolder: join(ROOT, folder), migrationsSchema: "drizzle", migrationsTable: table });
      results.push({ folder, applied: (await count(sql, table)) - before });
    }
    return results;
  } finally {
    await sql.end();
  }
}

async function count(sql: postgres.Sql, table: string): Promise<number> {
  const [found] = await sql<{ present: boolean }[]>`select to_regclass(${`drizzle.${table}`}) is not null as present`;
  if (found?.present !== true) return 0;
  const [row] = await sql<{ n: number }[]>`select count(*)::int as n from ${sql(`drizzle.${table}`)}`;
  return row?.n ?? 0;
}
