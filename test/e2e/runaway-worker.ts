/** The Worker with handlers that misbehave for real: run on the dev stack by runaways.test.ts. */
import { sql } from "drizzle-orm";
import { holdfast, RetryAfterError } from "#holdfast";
import { balanceEntries, userBalances } from "../../src/handlers/tables.ts";
import { on, sources } from "../../src/sources.ts";
import type { Tx } from "../../src/store/guard.ts";

export { EventClaim } from "../../src/claim/event-claim.ts";

async function credit(tx: Tx, reference: string, userId: string): Promise<void> {
  await tx.insert(balanceEntries).values({ reference, userId, amount: 1n });
  await tx
    .insert(userBalances)
    .values({ userId, balance: 1n })
    .onConflictDoUpdate({ target: userBalances.userId, set: { balance: sql`${userBalances.balance} + 1` } });
}

const handlers = [
  on("generic", "memory", async () => {
    const held: number[][] = [];
    // Until the runtime ends it.
    for (;;) held.push(Array.from({ length: 1_000_000 }, (_, index) => index + held.length));
  }),
  on("generic", "hang", () => new Promise<void>(() => {})),
  on("generic", "late", async ({ tx, event }) => {
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    await credit(tx, `${event.key} too late`, "late").catch(() => undefined);
  }),
  on("generic", "not.yet", async ({ event }) => {
    if (event.attempt < 3) throw new RetryAfterError("not yet", 1);
  }),
  on("generic", "told", {
    async run({ tx, event }) {
      await credit(tx, event.key, "told");
      return { id: event.id };
    },
    async after({ result, env, signal }) {
      const { LISTENER } = env as unknown as { LISTENER: string };
      const answer = await fetch(`${LISTENER}/${result.id}`, { signal });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`the listener answered ${answer.status}`);
    },
  }),
  on("generic", "*", async ({ tx, event, data }) => credit(tx, event.key, (data as { userId: string }).userId)),
];

export default holdfast({ sources, handlers });
