/** `after`: owed from the commit on, at least once, and never the SQL again. */
import { beforeAll, describe, expect, test } from "vitest";
import { AFTER_ATTEMPTS_LIMIT } from "../../src/core/limits.ts";
import { entries } from "../support/own-app.ts";
import { on } from "../support/own-app.ts";
import { PermanentError, type Route } from "#holdfast";
import { config, consume, type Ledger, ledger, message } from "../support/ledger.ts";

let books: Ledger;
beforeAll(async () => {
  books = await ledger("after");
});

const due = (id: string) => books.run(`update webhook_events set sent_at = now() - interval '1 minute', started_at = null where event_id = '${id}'`);

function counted(after: (call: number) => Promise<void>) {
  const calls: { run: number; after: number; result: unknown; key: string } = { run: 0, after: 0, result: null, key: "" };
  const route: Route = on("generic", "*", {
    async run({ tx, event }) {
      calls.run++;
      await tx.insert(entries).values({ reference: event.key, userId: "u", amount: 1n });
      return { text: `credited ${event.id}` };
    },
    async after({ result, event }) {
      calls.after++;
      calls.result = result;
      calls.key = event.key;
      await after(calls.after);
    },
  });
  return { calls, route };
}

describe("after", () => {
  test("runs once the SQL has committed, with its stored result and the event's stable key", async () => {
    const one = await message();
    const { calls, route } = counted(async () => {
      expect(await books.row(one.facts.id)).toMatchObject({ status: "completed", after: "owed" });
    });
    expect((await consume(books, [one], [route])).acked).toEqual([one.facts.id]);
    expect(calls).toEqual({ run: 1, after: 1, result: { text: `credited ${one.facts.id}` }, key: `generic:${one.facts.id}` });
    expect(await books.row(one.facts.id)).toMatchObject({ status: "completed", after: "done" });
  });

  test("resumes where a crash between commit and after left it, the SQL once", async () => {
    const one = await message();
    const { calls, route } = counted(async () => undefined);
    await consume(books, [one], [route]);
    // What a consumer that died after its commit leaves behind.
    await books.run(
      `update webhook_events set after = 'owed', after_result = '{"text":"credited before"}', after_attempts = 0 where event_id = '${one.facts.id}'`,
    );
    expect((await consume(books, [one], [route])).acked).toEqual([one.facts.id]);
    expect(calls).toMatchObject({ run: 1, after: 2, result: { text: "credited before" } });
    expect(await books.row(one.facts.id)).toMatchObject({ after: "done" });
  });

  test("that fails is tried again, its message waits with it, and the event stays completed", async () => {
    const one = await message();
    const { calls, route } = counted(async (call) => {
      if (call < 3) throw new Error("the other side is down");
    });
    expect((await consume(books, [one], [route])).retried).toHaveProperty(one.facts.id);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "completed", after: "owed" });
    await due(one.facts.id);
    await consume(books, [one], [route]);
    await due(one.facts.id);
    expect((await consume(books, [one], [route])).acked).toEqual([one.facts.id]);
    expect(calls).toMatchObject({ run: 1, after: 3 });
  });

  test("is given up after its attempts, visibly, and the event stays completed", async () => {
    const one = await message();
    const { calls, route } = counted(() => Promise.reject(new Error("for good")));
    for (let attempt = 1; attempt <= AFTER_ATTEMPTS_LIMIT; attempt++) {
      await consume(books, [one], [route]);
      await due(one.facts.id);
    }
    expect((await consume(books, [one], [route])).acked).toEqual([one.facts.id]);
    expect(calls).toMatchObject({ run: 1, after: AFTER_ATTEMPTS_LIMIT });
    expect(await books.row(one.facts.id)).toMatchObject({ status: "completed", after: "failed", lastError: "for good" });
    expect(await books.attempts(one.facts.id)).toHaveLength(AFTER_ATTEMPTS_LIMIT);
  });

  test("with a PermanentError is given up at once", async () => {
    const one = await message();
    const { calls, route } = counted(() => Promise.reject(new PermanentError("no such channel")));
    expect((await consume(books, [one], [route])).acked).toEqual([one.facts.id]);
    expect(calls.after).toBe(1);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "completed", after: "failed" });
  });

  test("that hangs is aborted at its deadline", async () => {
    const one = await message();
    let aborted = false;
    const route = on("generic", "*", {
      run: async () => undefined,
      after: ({ signal }) => {
        signal.addEventListener("abort", () => {
          aborted = true;
        });
        return new Promise<void>(() => {});
      },
    });
    const startMs = Date.now();
    expect((await consume(books, [one], [route])).retried).toHaveProperty(one.facts.id);
    expect(Date.now() - startMs).toBeGreaterThanOrEqual(config.timings.afterMs);
    expect(aborted).toBe(true);
  });

  test("that ends the isolate is given up too: its start is counted before it begins", async () => {
    const one = await message();
    const { calls, route } = counted(async () => undefined);
    await consume(books, [one], [route]);
    await books.run(
      `update webhook_events set after = 'owed', after_attempts = ${AFTER_ATTEMPTS_LIMIT}, started_at = null where event_id = '${one.facts.id}'`,
    );
    expect((await consume(books, [one], [route])).acked).toEqual([one.facts.id]);
    expect(calls.after).toBe(1);
    expect(await books.row(one.facts.id)).toMatchObject({ after: "failed" });
  });

  test("is not run by a copy while it is running", async () => {
    const one = await message();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: running, resolve: runs } = Promise.withResolvers<void>();
    const { calls, route } = counted(async () => {
      runs();
      await released;
    });
    const first = consume(books, [one], [route]);
    await running;
    expect((await consume(books, [one], [route])).retried).toHaveProperty(one.facts.id);
    release();
    await first;
    expect(calls).toMatchObject({ run: 1, after: 1 });
  });

  test("is not owed when the handler skips", async () => {
    const one = await message();
    await consume(books, [one], [on("generic", "nothing.else", async () => undefined)]);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "skipped", after: "none" });
  });

  test("whose result cannot be stored fails the handler, not the ledger", async () => {
    const one = await message();
    const route = on("generic", "*", { run: async () => ({ text: "half a pair: \ud800" }), after: async () => undefined });
    expect((await consume(books, [one], [route])).acked).toEqual([one.facts.id]);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "failed", reason: "permanent" });
  });
});
