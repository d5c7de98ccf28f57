/** `deliver()`: with the test's own handlers, for every source, down to the dead letter. */
import { expect, test } from "vitest";
import { ATTEMPTS_LIMIT } from "../../src/core/limits.ts";
import { on } from "../support/own-app.ts";
import { deliver } from "#holdfast/test";

test("a typed Stripe event reaches the test's own handler", async () => {
  let order = "";
  const handlers = [
    on("stripe", "payment_intent.succeeded", async ({ data }) => {
      order = data.data.object.metadata["order_id"] ?? "";
    }),
  ];
  const delivered = await deliver(
    "stripe",
    "payment_intent.succeeded",
    { data: { object: { metadata: { order_id: "o_1" } } } },
    { handlers, times: 3 },
  );
  expect(delivered).toMatchObject({ status: "completed", attempts: 0, answers: ["pending", "pending", "queued"] });
  expect(order).toBe("o_1");
});

test.each(["generic", "github", "standard"] as const)("%s goes the whole path", async (source) => {
  let runs = 0;
  const delivered = await deliver(
    source,
    source === "github" ? "push" : "made.up",
    {},
    { handlers: [on(source, "*", async () => void runs++)], times: 2 },
  );
  expect([delivered.status, runs]).toEqual(["completed", 1]);
});

test("a failing handler is seen after its first attempt, and followed to its dead letter", async () => {
  const handlers = [on("generic", "*", () => Promise.reject(new Error("always")))];
  expect(await deliver("generic", "x", {}, { handlers })).toMatchObject({ status: "pending", attempts: 1, error: "always" });
  expect(await deliver("generic", "x", {}, { handlers, until: "settled", timeoutMs: 60_000 })).toMatchObject({
    status: "failed",
    reason: "attempts_used_up",
    attempts: ATTEMPTS_LIMIT,
  });
}, 90_000);

test("after runs, once the event has completed", async () => {
  let told: unknown = null;
  const handlers = [
    on("generic", "*", {
      run: async () => ({ text: "done" }),
      after: async ({ result }) => {
        told = result;
      },
    }),
  ];
  expect(await deliver("generic", "x", {}, { handlers, until: "settled" })).toMatchObject({ status: "completed", after: "done" });
  expect(told).toEqual({ text: "done" });
});
