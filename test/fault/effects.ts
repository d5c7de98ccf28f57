/** A table that the tests' handlers write to, and a look at it over a connection that no fault is on. */
import { sql } from "drizzle-orm";
import { pgTable, text } from "drizzle-orm/pg-core";
import type { Tx } from "../../src/store/guard.ts";
import { openGate } from "./gate.ts";

export const effects = pgTable("fault_effects", { key: text().primaryKey(), note: text().notNull() });

let made = 0;
/** A key that no other test uses. */
export const newKey = (): string => `${crypto.randomUUID()}-${(made += 1)}`;

export async function createEffects(): Promise<void> {
  await sound(async (db) => {
    // Test files run side by side, and `if not exists` alone can lose that race.
    await db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(1)`);
      await tx.execute(sql`create table if not exists fault_effects (key text primary key, note text not null check (note <> 'forbidden'))`);
    });
  });
}

/** The keys among these that have an effect, as another connection sees them: committed. Waits until nobody holds them. */
export async function committed(...keys: readonly string[]): Promise<string[]> {
  return sound(async (db) => {
    // Conflicts with every writer, so whoever was cut off has been rolled back, or has committed, before we look.
    return db.transaction(async (tx) => {
      await tx.execute(sql`lock table fault_effects in share mode`);
      const rows = await tx.execute<{ key: string }>(sql`select key from fault_effects where key in ${[...keys]} order by key`);
      return rows.map((row) => row.key);
    });
  });
}

export const insert = (tx: Tx, key: string, note = "written") => tx.insert(effects).values({ key, note });

async function sound<T>(work: (db: Tx) => Promise<T>): Promise<T> {
  const client = (await openGate()).client();
  try {
    return await work(client.db);
  } finally {
    client.abandon("the look is over");
  }
}
