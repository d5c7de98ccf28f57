/** The Worker that the end-to-end tests run on the dev stack: a handler that credits, and some that misbehave for real. */
import { sql } from "drizzle-orm";
import { holdfast, RetryAfterError } from "#holdfast";
import { balances, entries, on, sources } from "../support/own-app.ts";
import type { Tx } from "../../src/store/guard.ts";

export { EventClaim } from "../../src/claim/event-claim.ts";
export { ReplayRun } from "../../src/replay-run/replay-run.ts";

async function credit(tx: Tx, reference: string, userId: string, amount = 1): Promise<void> {
  await tx.insert(entries).values({ reference, userId, amount: BigInt(amount) });
  await tx
    .insert(balances)
    .values({ userId, balance: BigInt(amount) })
    .onConflictDoUpdate({ target: balances.userId, set: { balance: sql`${balances.balance} + excluded.balance` } });
}

const handlers = [
  on("generic", "memory", async () => {
    const held: number[][] = [];
    // Until the runtime ends it: 80 MB a turn.
    for (;;) held.push(Array.from<number>({ length: 10_000_000 }).fill(1.5 + held.length));
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
    async after({ result, env, fetch }) {
      const { LISTENER } = env as unknown as { LISTENER: string };
      const answer = await fetch(`${LISTENER}/${result.id}`);
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`the listener answered ${answer.status}`);
    },
  }),
  on("generic", "*", async ({ tx, event, data }) => {
    const { userId, amount } = data as { userId: string; amount?: number };
    await credit(tx, event.key, userId, amount);
  }),
];

export default holdfast({ sources, handlers });
