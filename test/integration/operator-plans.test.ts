/** The way that Postgres takes to what operators ask: by an index, also where a ledger is long and the answer short. What docs/storage.md says of indexes is held to it. */
import { beforeAll, expect, test } from "vitest";
import { timings } from "../../src/core/timings.ts";
import { reading } from "../../src/store/reading.ts";
import { scansOf } from "../support/explain.ts";
import { ledger, type Ledger } from "../support/ledger.ts";
import { asking, floor, questions } from "../support/operator-questions.ts";
import { seedLedger } from "../support/seed-ledger.ts";

let books: Ledger;
const plans = new Map<string, readonly string[]>();
beforeAll(async () => {
  books = await ledger("operator_plans");
  await seedLedger((text) => books.run(text), { events: 50_000, chunkRows: 5_000 });
  for (const question of [floor, ...(await questions(books.db()))])
    plans.set(question.name, await asking(books.db(), question, (tx) => scansOf(tx, (explaining) => question.ask(explaining))));
}, 120_000);

test("no question of an operator reads the ledger from end to end", () => {
  expect(plans.size).toBeGreaterThan(58);
  expect([...plans].filter(([, scans]) => scans.length === 0 || scans.includes("Seq Scan webhook_events"))).toEqual([]);
});

test.each(["received", "source", "type", "unusual", "id", "fingerprint", "settled", "after_failed"])(
  "the index %s is there for a question",
  (name) => {
    const takers = [...plans].filter(([, scans]) => scans.some((scan) => scan.endsWith(` webhook_events_${name}`)));
    expect(takers).not.toEqual([]);
  },
);

test("a question that is asked often is still planned for what it asks: a common type and a rare one want different ways", async () => {
  for (let n = 0; n < 8; n++) await reading(books.db(), timings("real"), (tx) => floor.ask(tx));
  const kept = await books.run(
    "select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements where statement like '%e.event_id%'",
  );
  expect(kept).toContainEqual({ generic: 0, custom: expect.toSatisfy((plans: number) => plans >= 8) });
});
