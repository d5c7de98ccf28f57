/** THE USER'S. How to test a handler: the whole path, one line. */
import { expect, test } from "vitest";
import { deliver } from "#holdfast/test";

test("a credit that is delivered five times at once is one effect", async () => {
  const { status, answers } = await deliver("generic", "balance.credit", { userId: "ada", amount: 250 }, { times: 5 });
  expect(status).toBe("completed");
  expect(answers).toEqual(["pending", "pending", "pending", "pending", "queued"]);
});

test("a credit of nothing is a dead letter at once: trying again cannot help", async () => {
  const { status, error } = await deliver("generic", "balance.credit", { amount: 0 });
  expect(status).toBe("failed");
  expect(error).toContain("amount");
});

test("two events for one fact credit once", async () => {
  const reference = crypto.randomUUID();
  expect(await deliver("generic", "balance.credit", { reference })).toMatchObject({ status: "completed" });
  expect(await deliver("generic", "balance.credit", { reference })).toMatchObject({ status: "skipped" });
});
