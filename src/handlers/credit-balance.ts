/** THE USER'S. The example: credits a user's balance, once for each fact. */
import { sql } from "drizzle-orm";
import { z } from "zod";
import { skip } from "#holdfast";
import { on } from "../sources.ts";
import { balanceEntries, userBalances } from "./tables.ts";

const Credit = z.object({
  userId: z.string().min(1),
  /** Minor units (cents). */
  amount: z.int().positive(),
  /** The fact's own key, where it has one: two events for one fact credit once. */
  reference: z.string().min(1).optional(),
});

export const creditBalance = on("generic", "*", Credit, async ({ tx, data, event }) => {
  const amount = BigInt(data.amount);
  const reference = data.reference ?? event.key;
  const entries = await tx.insert(balanceEntries).values({ reference, userId: data.userId, amount }).onConflictDoNothing().returning();
  if (entries.length === 0) return skip("credited before, by another event with this reference");
  await tx
    .insert(userBalances)
    .values({ userId: data.userId, balance: amount })
    .onConflictDoUpdate({ target: userBalances.userId, set: { balance: sql`${userBalances.balance} + excluded.balance` } });
});
