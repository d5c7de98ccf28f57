/** Handlers that hang, go on after their deadline, or end the isolate: they cost nobody else their event, and end as dead letters. */
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { ATTEMPTS_LIMIT, UNFINISHED_STARTS_LIMIT } from "../../src/core/limits.ts";
import { balances, entries, on } from "../support/own-app.ts";
import type { Tx } from "#holdfast";
import { config, consume, type Ledger, ledger, message, unique } from "../support/ledger.ts";

let books: Ledger;
beforeAll(async () => {
  books = await ledger("runaways");
});

const due = (id: string) => books.run(`update webhook_events set sent_at = now() - interval '1 minute' where event_id = '${id}'`);
const credit = (tx: Tx, reference: string, userId: string) =>
  tx
    .insert(entries)
    .values({ reference, userId, amount: 1n })
    .then(() =>
      tx
        .insert(balances)
        .values({ userId, balance: 1n })
        .onConflictDoUpdate({ target: balances.userId, set: { balance: sql`${balances.balance} + 1` } }),
    );

describe("a handler that never settles", () => {
  test("costs its batch nothing and ends as a dead letter", async () => {
    const userId = unique("user");
    const stuck = await message({ type: "hang", body: { userId } });
    const others = await Promise.all(Array.from({ length: 4 }, () => message({ body: { userId } })));
    const handlers = [
      on("generic", "hang", () => new Promise<void>(() => {})),
      on("generic", "*", async ({ tx, event, data }) => void (await credit(tx, event.key, (data as { userId: string }).userId))),
    ];
    const { acked } = await consume(books, [...others.slice(0, 2), stuck, ...others.slice(2)], handlers);
    expect(acked.toSorted()).toEqual(others.map((one) => one.facts.id).toSorted());
    expect(await books.balance(userId)).toBe(4);
    expect(await books.row(stuck.facts.id)).toMatchObject({ status: "pending", attempts: 1, starts: 0 });
    for (let attempt = 2; attempt <= ATTEMPTS_LIMIT; attempt++) {
      await due(stuck.facts.id);
      await consume(books, [stuck], handlers);
    }
    expect(await books.row(stuck.facts.id)).toMatchObject({ status: "failed", reason: "handler_timeout", attempts: ATTEMPTS_LIMIT });
  }, 60_000);

  test("writes nothing into another's transaction when it goes on querying after its deadline", async () => {
    const userId = unique("user");
    const late: { error: unknown } = { error: null };
    const { promise: tried, resolve: hasTried } = Promise.withResolvers<void>();
    const stuck = await message({ type: "late", body: { userId } });
    const other = await message({ body: { userId } });
    const handlers = [
      on("generic", "late", async ({ tx, event }) => {
        await new Promise((resolve) => setTimeout(resolve, config.timings.handlerMs + 300));
        await credit(tx, `${event.key} late`, userId).catch((error: unknown) => {
          late.error = error;
        });
        hasTried();
      }),
      on("generic", "*", async ({ tx, event }) => {
        await credit(tx, event.key, userId);
        await tried;
        await tx.execute(sql`select 1`);
      }),
    ];
    await consume(books, [stuck, other], handlers);
    expect(late.error).toMatchObject({ cause: { name: "TransactionOver" } });
    expect(await books.run(`select reference from test_entries where user_id = '${userId}'`)).toEqual([{ reference: `generic:${other.facts.id}` }]);
  });
});

describe("a handler that ends its isolate", () => {
  /** What such a death leaves in the ledger: a start that never ended. */
  const begun = async (type = "test", starts = 1) => {
    const one = await message({ type });
    await consume(books, [one], [on("generic", "*", () => Promise.reject(new Error("so that its row is pending")))]);
    await books.run(
      `update webhook_events set sent_at = now(), attempts = 0, starts = ${starts}, started_at = null where event_id = '${one.facts.id}'`,
    );
    return one;
  };

  test("has left a committed start behind, whether it ran in a batch or by itself", async () => {
    const seen: unknown[] = [];
    const looking = on(
      "generic",
      "*",
      async ({ event }) => void seen.push((await books.run(`select starts from webhook_events where event_id = '${event.id}'`))[0]),
    );
    await consume(books, await Promise.all([message(), message()]), [looking]);
    await consume(books, [await message()], [looking]);
    expect(seen).toEqual([{ starts: 1 }, { starts: 1 }, { starts: 1 }]);
  });

  test("is run alone, after its batch, with its start committed before it begins", async () => {
    const [suspect, mate] = [await begun("suspect"), await message({ type: "mate" })];
    const order: string[] = [];
    const handlers = [
      on("generic", "suspect", async () => {
        order.push("suspect");
        expect(await books.row(suspect.facts.id)).toMatchObject({ starts: 2 });
        expect(await books.row(mate.facts.id)).toMatchObject({ status: "completed" });
      }),
      on("generic", "mate", async () => void order.push("mate")),
    ];
    await consume(books, [suspect, mate], handlers);
    expect(order).toEqual(["mate", "suspect"]);
    expect(await books.row(suspect.facts.id)).toMatchObject({ status: "completed", starts: 0 });
  });

  test("is a dead letter once it never ended too often, without being run again", async () => {
    const killer = await begun("killer", 1 + UNFINISHED_STARTS_LIMIT);
    const { acked } = await consume(books, [killer], [on("generic", "*", () => Promise.reject(new Error("must not run")))]);
    expect(acked).toEqual([killer.facts.id]);
    expect(await books.row(killer.facts.id)).toMatchObject({ status: "failed", reason: "killed", hasBody: true });
    expect(await books.attempts(killer.facts.id)).toContainEqual(expect.objectContaining({ class: "killed" }));
  });

  test("still has a run left just below that", async () => {
    const nearly = await begun("nearly", UNFINISHED_STARTS_LIMIT);
    await consume(books, [nearly], [on("generic", "*", async () => undefined)]);
    expect(await books.row(nearly.facts.id)).toMatchObject({ status: "completed" });
  });

  test("is not counted by a copy that comes while it is being run", async () => {
    const suspect = await begun();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: running, resolve: runs } = Promise.withResolvers<void>();
    const first = consume(
      books,
      [suspect],
      [
        on("generic", "*", async () => {
          runs();
          await released;
        }),
      ],
    );
    await running;
    const copies = Promise.all(
      Array.from({ length: 3 }, () => consume(books, [suspect], [on("generic", "*", () => Promise.reject(new Error("must not run")))])),
    );
    await expect.poll(async () => (await books.row(suspect.facts.id))?.starts).toBe(2);
    release();
    await first;
    await copies;
    expect(await books.row(suspect.facts.id)).toMatchObject({ status: "completed" });
  });

  test("whose event is given back in good order is no suspect", async () => {
    const one = await message();
    const outage = on(
      "generic",
      "*",
      async ({ tx }) => void (await tx.execute(sql`do $$ begin raise exception 'x' using errcode = '40001'; end $$`)),
    );
    for (let time = 0; time <= UNFINISHED_STARTS_LIMIT + 1; time++) await consume(books, [one], [outage]);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "pending", attempts: 0, starts: 0 });
  });
});
