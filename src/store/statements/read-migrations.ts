/** The newest migration that was applied of each set, as `npm run migrate` writes it down. */
import { sql } from "drizzle-orm";
import type { Tx } from "../guard.ts";

export interface AppliedMigrations {
  /** Epoch ms at which the newest was made; null: none was applied. */
  readonly holdfast: number | null;
  readonly app: number | null;
}

/** Throws 42P01 where none was ever applied. */
export async function readMigrations(db: Tx): Promise<AppliedMigrations> {
  const rows = await db.execute<Readonly<Record<string, unknown>> & AppliedMigrations>(sql`
    select (select max(h.created_at)::float8 from drizzle.holdfast_migrations h) as holdfast,
      (select max(a.created_at)::float8 from drizzle.app_migrations a) as app`);
  return rows[0] ?? { holdfast: null, app: null };
}
