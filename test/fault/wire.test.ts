/** What goes over the wire: every statement is prepared under a name. Hyperdrive's pooling can hang on unnamed ones. */
import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { inTransaction } from "../../src/store/transaction.ts";
import { createEffects, effects, insert, newKey } from "./effects.ts";
import { openGate, quick, rejection } from "./gate.ts";

beforeAll(createEffects);

test("every Parse has a name, and only BEGIN is a simple query", async () => {
  const gate = await openGate();
  const client = gate.client();
  const key = newKey();
  await client.db.execute(sql`select 1`);
  await client.sql.unsafe("select $1::text", ["x"]);
  await inTransaction(client, quick, async ({ db, runHandler }) => {
    await db.select().from(effects).where(eq(effects.key, key)).for("update", { skipLocked: true });
    await runHandler(async (tx) => {
      await insert(tx, key);
      await tx.update(effects).set({ note: "again" }).where(eq(effects.key, key)).returning();
      await tx.select().from(effects).limit(1);
      await rejection(
        tx.transaction(async (inner) => {
          await inner.execute(sql`select 'inner'`);
          throw new Error("own");
        }),
      );
    }, 1_000);
  });
  await rejection(
    inTransaction(client, quick, async () => {
      throw new Error("own");
    }),
  );
  const { prepared, executed } = await gate.state();
  expect(prepared.length).toBeGreaterThan(10);
  expect(prepared.filter(({ name }) => name === "")).toEqual([]);
  const texts = new Set(prepared.map(({ text }) => text));
  expect([...new Set(executed.filter((text) => !texts.has(text)))]).toEqual(["begin "]);
  client.abandon("the test is over");
});
