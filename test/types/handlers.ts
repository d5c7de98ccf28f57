/** Checked by `tsc` alone: what must compile, and what must not. */
import { z } from "zod";
import { on } from "../support/own-app.ts";
import { batchHandler, defineSources, PermanentError, RetryAfterError, skip } from "#holdfast";

export const handlers = [
  on("stripe", "payment_intent.succeeded", async ({ data, event, tx }) => {
    data.data.object.amount_received satisfies number;
    event.data satisfies typeof data;
    if (data.data.object.metadata["order_id"] === undefined) return skip("not one of our orders");
    await tx.execute("select 1");
    throw new RetryAfterError("not yet", 45);
  }),
  // A type that the union does not know passes, typed as the whole of it.
  on("stripe", "a.brand_new_type", async ({ data }) => {
    data.id satisfies string;
  }),
  on("generic", "*", z.object({ userId: z.string(), amount: z.int().positive() }), {
    async run({ data }) {
      data.amount satisfies number;
      return { text: `credited ${data.userId}` };
    },
    async after({ result, signal, event, env }) {
      result.text satisfies string;
      signal satisfies AbortSignal;
      event.key satisfies string;
      env.EVENTS satisfies Queue;
    },
  }),
  on("generic", "short", z.object({ n: z.number() }), async ({ data }) => {
    data.n satisfies number;
  }),
  on(
    "stripe",
    "invoice.paid",
    batchHandler(async ({ events }) => {
      for (const event of events) event.data.data.object satisfies object;
    }),
  ),
  on("github", "push", async () => {
    throw new PermanentError("never");
  }),

  // @ts-expect-error a source that src/sources.ts does not have
  on("shopify", "orders/create", async () => undefined),
  // @ts-expect-error a handler that is not async
  on("github", "push", () => 1),
  // @ts-expect-error a field that the event does not have
  on("stripe", "payment_intent.succeeded", async ({ data }) => void data.data.object.amount_recieved),
  on("generic", "*", z.object({ amount: z.number() }), {
    // @ts-expect-error what the schema does not hold
    run: async ({ data }) => void data.userId,
  }),
  // @ts-expect-error a plain object where a schema is expected
  on("generic", "*", { amount: "number" }, async () => undefined),
  on("generic", "*", {
    run: async () => ({ text: "x" }),
    // @ts-expect-error the result of run has no such field
    after: async ({ result }) => void result.txet,
  }),
  on("generic", "*", {
    // @ts-expect-error env is for `after` alone: the outside world has no place beside the transaction
    run: async ({ env }) => void env,
  }),
];

// @ts-expect-error not a preset
defineSources({ stripe: { name: "stripe" } });
