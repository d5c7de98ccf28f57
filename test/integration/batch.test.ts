/** Many events at once: one transaction, one effect each, and nobody pays for another's failure. */
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { balances, entries } from "../support/own-app.ts";
import { on } from "../support/own-app.ts";
import { inTransaction } from "../../src/store/transaction.ts";
import { openClient } from "../../src/store/client.ts";
import { lock } from "../../src/store/statements/lock.ts";
import { record } from "../../src/store/statements/record.ts";
import { config, consume, type Ledger, ledger, message, unique } from "../support/ledger.ts";

let books: Ledger;
beforeAll(async () => {
  books = await ledger("batch");
});

/** Credits one unit, unless the payload says `poison`. */
const credit = on("generic", "*", async ({ tx, data, event }) => {
  const payload = data as { userId: string; poison?: boolean };
  await tx.insert(entries).values({ reference: event.key, userId: payload.userId, amount: 1n });
  await tx
    .insert(balances)
    .values({ userId: payload.userId, balance: 1n })
    .onConflictDoUpdate({ target: balances.userId, set: { balance: sql`${balances.balance} + 1` } });
  if (payload.poison === true) throw new Error("this one always fails");
});

const many = (n: number, userId: string) => Promise.all(Array.from({ length: n }, () => message({ body: { userId } })));

describe("a batch", () => {
  test("commits every event and acknowledges every message", async () => {
    const userId = unique("user");
    const messages = await many(100, userId);
    const { acked, retried } = await consume(books, messages, [credit]);
    expect(acked).toHaveLength(100);
    expect(retried).toEqual({});
    expect(await books.balance(userId)).toBe(100);
  });

  test("with the same event many times has one effect", async () => {
    const userId = unique("user");
    const one = await message({ body: { userId } });
    await consume(books, [one, one, { ...one, opening: one.opening + 5 }], [credit]);
    await consume(books, [one], [credit]);
    expect(await books.balance(userId)).toBe(1);
  });

  test("delivered to two consumers at once has one effect an event", async () => {
    const userId = unique("user");
    const messages = await many(20, userId);
    await Promise.all([consume(books, messages, [credit]), consume(books, messages.toReversed(), [credit]), consume(books, messages, [credit])]);
    await consume(books, messages, [credit]);
    expect(await books.balance(userId)).toBe(20);
  });

  test("with one poisoned event completes the others at their first attempt", async () => {
    const userId = unique("user");
    const poison = await message({ body: { userId, poison: true } });
    const good = await many(99, userId);
    const { acked, retried } = await consume(books, [...good.slice(0, 50), poison, ...good.slice(50)], [credit]);
    expect(acked).toHaveLength(99);
    expect(Object.keys(retried)).toEqual([poison.facts.id]);
    expect(await books.balance(userId)).toBe(99);
    const rows = await Promise.all(good.map((one) => books.row(one.facts.id)));
    expect(new Set(rows.map((row) => `${row?.status} ${row?.totalAttempts}`))).toEqual(new Set(["completed 0"]));
    expect(await books.row(poison.facts.id)).toMatchObject({ status: "pending", attempts: 1, starts: 0 });
    expect(await books.attempts(poison.facts.id)).toMatchObject([
      { class: "unknown", phase: "handler", message: "this one always fails", stack: expect.stringContaining("batch.test.ts") },
    ]);
  });

  test("is not held up by a row that somebody else has locked", async () => {
    const userId = unique("user");
    const held = await message({ body: { userId } });
    const others = await many(5, userId);
    await consume(books, [held], [on("generic", "*", () => Promise.reject(new Error("so that its row is pending")))]);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: locked, resolve: hasLocked } = Promise.withResolvers<void>();
    await books.run(`update webhook_events set sent_at = now() where event_id = '${held.facts.id}'`);
    const holder = inTransaction(
      openClient(books.env.HYPERDRIVE, config.timings),
      { ...config.timings, idleInTransactionMs: 60_000 },
      async ({ db }) => {
        await lock(db, [{ source: "generic", id: held.facts.id }], "wait");
        hasLocked();
        await released;
      },
    );
    await locked;
    const consumed = consume(books, [held, ...others], [credit]);
    await expect.poll(() => books.balance(userId)).toBe(5);
    release();
    await holder;
    expect((await consumed).acked.toSorted()).toEqual([held, ...others].map((one) => one.facts.id).toSorted());
    expect(await books.balance(userId)).toBe(6);
  });

  test("gives back an event whose row stays locked, and counts nothing", async () => {
    const userId = unique("user");
    const held = await message({ body: { userId } });
    await consume(books, [held], [on("generic", "*", () => Promise.reject(new Error("so that its row is pending")))]);
    await books.run(`update webhook_events set sent_at = now(), attempts = 0 where event_id = '${held.facts.id}'`);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const holder = inTransaction(
      openClient(books.env.HYPERDRIVE, config.timings),
      { ...config.timings, idleInTransactionMs: 60_000 },
      async ({ db }) => {
        await lock(db, [{ source: "generic", id: held.facts.id }], "wait");
        await released;
      },
    );
    await expect
      .poll(async () => (await books.run("select count(*)::int as n from pg_locks where mode = 'RowShareLock' and granted"))[0]?.["n"])
      .toBeGreaterThan(0);
    const { retried } = await consume(books, [held], [credit]);
    release();
    await holder;
    expect(Object.keys(retried)).toEqual([held.facts.id]);
    expect(await books.row(held.facts.id)).toMatchObject({ status: "pending", attempts: 0 });
  });

  test("is recorded in key order, whatever order it came in: two consumers cannot wait for each other", async () => {
    const messages = await Promise.all(Array.from({ length: 40 }, (_, index) => message({ id: unique(`order_${String(index).padStart(2, "0")}`) })));
    const [first, ...others] = messages.map((one) => one.facts.id);
    const row = (
      id: string,
    ) => sql`insert into webhook_events (source, event_id, type, status, opening, received_at, sent_at, digest, content_type, headers)
      values ('generic', ${id}::text, 'test', 'pending', 1, now(), now(), '', '', '{}')`;
    // Another consumer, in the middle of recording the same ones in key order: it has the first, and comes to the others.
    const other = openClient(books.env.HYPERDRIVE, config.timings);
    const mine = openClient(books.env.HYPERDRIVE, config.timings);
    const recording: Promise<unknown>[] = [];
    await inTransaction(other, config.timings, async ({ db }) => {
      await db.execute(row(first ?? ""));
      recording.push(record(mine.db, messages.toReversed(), "skip"));
      await expect
        .poll(
          async () =>
            (await books.run("select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))[0]?.[
              "n"
            ],
        )
        .toBeGreaterThan(0);
      for (const id of others) await db.execute(row(id));
    });
    await Promise.all(recording);
    for (const client of [other, mine]) client.abandon("the test is over");
  });

  test("with a message that Postgres cannot take leaves the row that is there as it is", async () => {
    const userId = unique("user");
    const good = await message({ body: { userId } });
    await consume(books, [good], [credit]);
    const bad = await message({ id: good.facts.id, type: "no\0good", body: { userId } });
    expect((await consume(books, [bad], [credit])).acked).toEqual([good.facts.id]);
    expect(await books.row(good.facts.id)).toMatchObject({ status: "completed", type: "test" });
  });

  test("of a row that Postgres cannot take loses neither it nor its mates", async () => {
    const userId = unique("user");
    const [bad, good] = await Promise.all([message({ type: "no\0good", body: { userId } }), message({ body: { userId } })]);
    const { acked } = await consume(books, [bad, good], [credit]);
    expect(acked).toHaveLength(2);
    expect(await books.row(bad.facts.id)).toMatchObject({ status: "failed", reason: "unstorable", hasBody: true });
    expect(await books.balance(userId)).toBe(1);
  });
});
