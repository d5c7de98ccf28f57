/** A table that the tests' handlers write to, and a look at it over a connection that no fault is on. */
import { sql } from "drizzle-orm";
import { pgTable, text } from "drizzle-orm/pg-core";
import type { Tx } from "../../src/store/guard.ts";
import { openGate, rejection } from "./gate.ts";

export const effects = pgTable("fault_effects", { key: text().primaryKey(), note: text().notNull() });

let made = 0;
/** A key that no other test uses. */
export const newKey = (): string => `${crypto.randomUUID()}-${(made += 1)}`;

export async function createEffects(): Promise<void> {
  const client = (await openGate()).client();
  await client.db.transaction(async (tx) => {
    // Test files run side by side, and `if not exists` alone can lose that race.
    await tx.execute(sql`select pg_advisory_xact_lock(1)`);
    await tx.execute(sql`create table if not exists fault_effects (key text primary key, note text not null check (note <> 'forbidden'))`);
  });
  client.abandon("the table is there");
}

/** The keys among these that have an effect, as another connection sees them: committed. Waits for whoever is still writing one of them. */
export async function committed(...keys: readonly string[]): Promise<string[]> {
  const client = (await openGate()).client();
  try {
    let absent: readonly string[] = [];
    await rejection(
      client.db.transaction(async (tx) => {
        // An insert of the same key waits until the other has committed or has been rolled back.
        const rows = keys.map((key) => ({ key, note: "asked" }));
        const inserted = await tx.insert(effects).values(rows).onConflictDoNothing().returning({ key: effects.key });
        absent = inserted.map(({ key }) => key);
        throw new Error("only asked");
      }),
    );
    return keys.filter((key) => !absent.includes(key));
  } finally {
    client.abandon("the look is over");
  }
}

export const insert = (tx: Tx, key: string, note = "written") => tx.insert(effects).values({ key, note });
