/** `batchHandler`: many events in one turn; one that fails costs the others nothing. */
import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { entries } from "../support/own-app.ts";
import { on } from "../support/own-app.ts";
import { batchHandler } from "#holdfast";
import { consume, type Ledger, ledger, message } from "../support/ledger.ts";

let books: Ledger;
beforeAll(async () => {
  books = await ledger("batch_handler");
});

test("takes all events of its type in one turn, sorted by key", async () => {
  const turns: string[][] = [];
  const bulk = on(
    "generic",
    "bulk",
    batchHandler(async ({ events, tx }) => {
      turns.push(events.map((event) => event.id));
      await tx.insert(entries).values(events.map((event) => ({ reference: event.key, userId: "bulk", amount: 1n })));
    }),
  );
  const messages = await Promise.all(Array.from({ length: 20 }, () => message({ type: "bulk" })));
  const other = await message({ type: "other" });
  const { acked } = await consume(books, [...messages, other], [bulk, on("generic", "*", async () => undefined)]);
  expect(acked).toHaveLength(21);
  expect(turns).toEqual([messages.map((one) => one.facts.id).toSorted()]);
  expect(await books.run("select count(*)::int as n from test_entries where user_id = 'bulk'")).toEqual([{ n: 20 }]);
});

test("of which one is poisoned settles the others and counts only that one", async () => {
  const messages = await Promise.all(Array.from({ length: 9 }, (_, index) => message({ type: "bulk", body: { poison: index === 5 } })));
  const poison = messages[5];
  const bulk = on(
    "generic",
    "bulk",
    batchHandler(async ({ events, tx }) => {
      await tx.execute(sql`select 1`);
      if (events.some((event) => (event.data as { poison: boolean }).poison)) throw new Error("poisoned");
    }),
  );
  const { acked, retried } = await consume(books, messages, [bulk]);
  expect(acked).toHaveLength(8);
  expect(Object.keys(retried)).toEqual([poison?.facts.id]);
  expect(await books.row(poison?.facts.id ?? "")).toMatchObject({ status: "pending", attempts: 1 });
});
