/** The Worker that the crash tests run: at each fault point it asks the controller, and it can take a batch for one of the dead-letter queue. */
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { holdfast, RetryAfterError } from "#holdfast";
import { setFaultController } from "../../src/fault-points.ts";
import type { Tx } from "../../src/store/guard.ts";
import { balances, entries, on, sources } from "../support/own-app.ts";

export { EventClaim } from "../../src/claim/event-claim.ts";
export { ReplayRun } from "../../src/replay-run/replay-run.ts";

const { FAULTS_URL } = env as unknown as { readonly FAULTS_URL: string };
async function ask(what: string): Promise<string> {
  const answer = await fetch(`${FAULTS_URL}/${what}`, { method: "POST" });
  return answer.text();
}
setFaultController(async (point) => {
  if ((await ask(point)) !== "go") throw new Error(`made to fail at ${point}`);
});

async function credit(tx: Tx, reference: string, data: unknown): Promise<void> {
  const { userId, amount } = data as { userId: string; amount: number };
  await tx.insert(entries).values({ reference, userId, amount: BigInt(amount) });
  await tx
    .insert(balances)
    .values({ userId, balance: BigInt(amount) })
    .onConflictDoUpdate({ target: balances.userId, set: { balance: sql`${balances.balance} + excluded.balance` } });
}

const worker = holdfast({
  sources,
  handlers: [
    on("generic", "counted", async ({ tx, event, data }) => {
      if (event.attempt === 1) throw new RetryAfterError("not at the first attempt", 1);
      await credit(tx, event.key, data);
    }),
    on("generic", "after", {
      async run({ tx, event, data }) {
        await credit(tx, event.key, data);
        return { id: event.id };
      },
      async after({ result, fetch }) {
        const answer = await fetch(`${FAULTS_URL}/effect/${result.id}`, { method: "POST" });
        await answer.arrayBuffer();
      },
    }),
    on("generic", "*", async ({ tx, event, data }) => credit(tx, event.key, data)),
    on("batches", "*", async ({ tx, event, data }) => credit(tx, event.key, data)),
  ],
});

/** A version that nobody reads yet. */
const NEWER = 99;
interface Versioned {
  readonly v: number;
}

export default {
  ...worker,
  // A hundred used-up retries would take hours: the messages are the real queue's, only where they come from is told otherwise.
  async queue(batch: MessageBatch, bindings: Env) {
    const as = batch.queue === "events" ? await ask("queue") : batch.queue;
    const messages = batch.messages.map((one) => {
      const body = one.body as Versioned;
      const v = as === "newer" ? NEWER : body.v === NEWER ? 1 : body.v;
      return {
        id: one.id,
        timestamp: one.timestamp,
        attempts: one.attempts,
        body: { ...body, v },
        ack: () => one.ack(),
        retry: (how?: QueueRetryOptions) => one.retry(how),
      } satisfies Message;
    });
    const queue = as === "go" ? "events" : "events-dlq";
    await worker.queue({ queue, messages, metadata: batch.metadata, ackAll: () => batch.ackAll(), retryAll: (how) => batch.retryAll(how) }, bindings);
  },
};
