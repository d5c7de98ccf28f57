/** A failing handler: counted or not by whose fault it is, a dead letter at the end, and the way back from there. */
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { ATTEMPTS_LIMIT } from "../../src/core/limits.ts";
import { balances, entries, on } from "../support/own-app.ts";
import { PermanentError, RetryAfterError, type Route, skip } from "#holdfast";
import { consume, type Ledger, ledger, ledgerOn, message } from "../support/ledger.ts";

let books: Ledger;
beforeAll(async () => {
  books = await ledger("failures");
});

const failing = (error: () => unknown): Route =>
  on("generic", "*", async () => {
    throw error();
  });
const healed = on("generic", "*", async ({ tx, event }) => {
  await tx.insert(entries).values({ reference: event.key, userId: event.id, amount: 1n });
  await tx.insert(balances).values({ userId: event.id, balance: 1n });
});
/** Lets the wait for the next attempt be over. */
const due = (id: string) => books.run(`update webhook_events set sent_at = now() - interval '1 minute' where event_id = '${id}'`);

/** Fails an event until it is a dead letter. */
async function deadLetter(options: Parameters<typeof message>[0] = {}) {
  const dead = await message(options);
  for (let attempt = 1; attempt <= ATTEMPTS_LIMIT; attempt++) {
    await consume(books, [dead], [failing(() => new Error("always"))]);
    await due(dead.facts.id);
  }
  return dead;
}

describe("a handler that always throws", () => {
  test("ends as a dead letter with bytes, message and stack, acknowledged, and stays one", async () => {
    const dead = await deadLetter({ body: { some: "thing" } });
    expect(await books.row(dead.facts.id)).toMatchObject({
      status: "failed",
      reason: "attempts_used_up",
      attempts: ATTEMPTS_LIMIT,
      totalAttempts: ATTEMPTS_LIMIT,
      hasBody: true,
      lastError: "always",
    });
    const attempts = await books.attempts(dead.facts.id);
    expect(attempts).toHaveLength(ATTEMPTS_LIMIT);
    expect(attempts.every((attempt) => attempt.class === "unknown" && attempt.stack.includes("Error: always"))).toBe(true);
    expect((await consume(books, [dead], [healed])).acked).toEqual([dead.facts.id]);
    expect(await books.row(dead.facts.id)).toMatchObject({ status: "failed" });
  });

  test("waits longer before each attempt", async () => {
    const one = await message();
    const { retried } = await consume(books, [one], [failing(() => new Error("once"))]);
    expect(retried[one.facts.id]).toBeGreaterThanOrEqual(1);
  });

  test("does not use up attempts on copies of its message that come early", async () => {
    const one = await message();
    await consume(books, [one], [failing(() => new RetryAfterError("later", 60))]);
    const { retried } = await consume(books, [one], [failing(() => new Error("must not run"))]);
    expect(retried[one.facts.id]).toBeGreaterThan(50);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "pending", attempts: 1, starts: 0, lastError: "later" });
  });
});

describe("a dead letter", () => {
  test("delivered again after the handler was healed completes", async () => {
    const dead = await deadLetter();
    const again = { ...dead, opening: dead.opening + 60_000 };
    expect((await consume(books, [again], [healed])).acked).toEqual([dead.facts.id]);
    expect(await books.row(dead.facts.id)).toMatchObject({ status: "completed", attempts: 0, totalAttempts: ATTEMPTS_LIMIT, lastError: null });
    expect(await books.balance(dead.facts.id)).toBe(1);
  });

  test("is not opened by a stale copy of its old message", async () => {
    const dead = await deadLetter();
    await consume(books, [dead, { ...dead, opening: dead.opening - 1 }], [healed]);
    expect(await books.row(dead.facts.id)).toMatchObject({ status: "failed", attempts: ATTEMPTS_LIMIT });
    expect(await books.balance(dead.facts.id)).toBe(0);
  });

  test("delivered again while the handler still fails has all its attempts again", async () => {
    const dead = await deadLetter();
    await consume(books, [{ ...dead, opening: dead.opening + 60_000 }], [failing(() => new Error("still"))]);
    expect(await books.row(dead.facts.id)).toMatchObject({ status: "pending", attempts: 1, totalAttempts: ATTEMPTS_LIMIT + 1 });
  });

  test("is not written over a newer opening by a run that saw the old one", async () => {
    const one = await message();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: running, resolve: runs } = Promise.withResolvers<void>();
    const slow = consume(
      books,
      [one],
      [
        on("generic", "*", async () => {
          runs();
          await released;
          throw new PermanentError("too late");
        }),
      ],
    );
    await running;
    // Somebody opens the event again and waits for its row: the lock is theirs as soon as the run rolls back, before its failure is written down.
    const reopening = books.run(`update webhook_events set opening = opening + 1000 where event_id = '${one.facts.id}'`);
    const waiting = ledgerOn(books.env.HYPERDRIVE);
    await expect
      .poll(
        async () =>
          (await waiting.run("select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))[0]?.[
            "n"
          ],
      )
      .toBeGreaterThan(0);
    release();
    await reopening;
    const { acked, retried } = await slow;
    expect([acked, Object.keys(retried)]).toEqual([[], [one.facts.id]]);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "pending", opening: one.opening + 1000, attempts: 0 });
  });
});

describe("a failure that trying again cannot help", () => {
  const Strict = z.object({ amount: z.int().positive() });
  test.each<[string, Parameters<typeof message>[0], Route, string]>([
    ["PermanentError", {}, failing(() => new PermanentError("no such plan")), "no such plan"],
    ["a schema that the payload does not match", { body: { amount: "ten" } }, on("generic", "*", Strict, async () => undefined), "amount"],
    ["a body that is not JSON", { bytes: new TextEncoder().encode("{oops") }, on("generic", "*", async () => undefined), "not JSON"],
    ["a body that is not UTF-8", { bytes: new Uint8Array([0x22, 0xff, 0x22]) }, on("generic", "*", async () => undefined), "not JSON"],
    [
      "a value that does not fit its column",
      {},
      on("generic", "*", async ({ tx }) => void (await tx.execute(sql`select 3000000000::int`))),
      "out of range",
    ],
    [
      "a missing value in a column that needs one",
      {},
      on("generic", "*", async ({ tx }) => void (await tx.execute(sql`insert into test_balances (user_id, balance) values ('x', null)`))),
      "null value",
    ],
  ])("%s takes one attempt", async (_what, options, route, text) => {
    const one = await message(options);
    expect((await consume(books, [one], [route])).acked).toEqual([one.facts.id]);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "failed", reason: "permanent", attempts: 1 });
    expect((await books.attempts(one.facts.id))[0]?.message).toContain(text);
  });
});

describe("a failure that is not the event's fault", () => {
  test.each<[string, Route]>([
    [
      "a serialization failure",
      on("generic", "*", async ({ tx }) => void (await tx.execute(sql`do $$ begin raise exception 'x' using errcode = '40001'; end $$`))),
    ],
    [
      "a deadlock",
      on("generic", "*", async ({ tx }) => void (await tx.execute(sql`do $$ begin raise exception 'x' using errcode = '40P01'; end $$`))),
    ],
    [
      "a lock that the handler could not get",
      on("generic", "*", async ({ tx }) => void (await tx.execute(sql`do $$ begin raise exception 'x' using errcode = '55P03'; end $$`))),
    ],
    [
      "a read-only replica after a failover",
      on("generic", "*", async ({ tx }) => void (await tx.execute(sql`do $$ begin raise exception 'x' using errcode = '25006'; end $$`))),
    ],
  ])("%s is given back and not counted", async (_what, route) => {
    const one = await message();
    const { acked, retried } = await consume(books, [one], [route]);
    expect([acked, Object.keys(retried)]).toEqual([[], [one.facts.id]]);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "pending", attempts: 0, starts: 0 });
  });

  test("passes as an outage for a day only where the handler's own lock is to blame", async () => {
    const locked = on(
      "generic",
      "*",
      async ({ tx }) => void (await tx.execute(sql`do $$ begin raise exception 'x' using errcode = '55P03'; end $$`)),
    );
    const old = await message({ opening: Date.now() - 25 * 60 * 60 * 1000 });
    await consume(books, [old], [locked]);
    expect(await books.row(old.facts.id)).toMatchObject({ status: "pending", attempts: 1 });
  });
});

describe("what a handler may answer", () => {
  test("skip ends the event as skipped, with its reason, and keeps what was written", async () => {
    const one = await message();
    await consume(
      books,
      [one],
      [
        on("generic", "*", async ({ tx, event }) => {
          await tx.insert(balances).values({ userId: event.id, balance: 3n });
          return skip("not one of ours");
        }),
      ],
    );
    expect(await books.row(one.facts.id)).toMatchObject({ status: "skipped", reason: "not one of ours" });
    expect(await books.balance(one.facts.id)).toBe(3);
  });

  test("no handler for the type is a skip that operators see", async () => {
    const one = await message({ type: "unheard.of" });
    expect((await consume(books, [one], [on("generic", "known", async () => undefined)])).acked).toEqual([one.facts.id]);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "skipped", reason: "no_handler" });
  });

  test("RetryAfterError is counted and waits as long as it says", async () => {
    const one = await message();
    const { retried } = await consume(books, [one], [failing(() => new RetryAfterError("order 7 is not committed yet", 45))]);
    expect(retried).toEqual({ [one.facts.id]: 45 });
    expect(await books.row(one.facts.id)).toMatchObject({ status: "pending", attempts: 1 });
  });

  test("a swallowed SQL error fails it with that error, and writes nothing", async () => {
    const one = await message();
    await consume(
      books,
      [one],
      [
        on("generic", "*", async ({ tx, event }) => {
          await tx.insert(balances).values({ userId: event.id, balance: 1n });
          await tx.execute(sql`select 1/0`).catch(() => undefined);
        }),
      ],
    );
    expect((await books.attempts(one.facts.id))[0]).toMatchObject({ sqlstate: "22012" });
    expect(await books.balance(one.facts.id)).toBe(0);
  });

  test("a query that it did not await fails it", async () => {
    const one = await message();
    await consume(
      books,
      [one],
      [
        on("generic", "*", async ({ tx }) => {
          void tx.execute(sql`select pg_sleep(0.05)`).catch(() => undefined);
        }),
      ],
    );
    expect((await books.attempts(one.facts.id))[0]).toMatchObject({ message: expect.stringContaining("not awaited") });
  });
});
