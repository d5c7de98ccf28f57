/** The way that Postgres takes to what operators ask: by an index, also where a ledger is long and the answer short. What docs/storage.md says of indexes is held to it. */
import { beforeAll, expect, test } from "vitest";
import { timings } from "../../src/core/timings.ts";
import { reading } from "../../src/store/reading.ts";
import { scansOf } from "../support/explain.ts";
import { ledger, type Ledger } from "../support/ledger.ts";
import { floor, type Question, questions } from "../support/operator-questions.ts";
import { seedLedger } from "../support/seed-ledger.ts";

let books: Ledger;
let asked: readonly Question[];
beforeAll(async () => {
  books = await ledger("operator_plans");
  await seedLedger((text) => books.run(text), { events: 50_000, chunkRows: 5_000 });
  asked = [floor, ...(await questions(books.db()))];
}, 120_000);

test("no question of an operator reads the ledger from end to end", async () => {
  const plans = new Map<string, readonly string[]>();
  for (const question of asked)
    plans.set(question.name, await reading(books.db(), timings("real"), (tx) => scansOf(tx, (explaining) => question.ask(explaining))));
  expect([...plans].filter(([, scans]) => scans.length === 0 || scans.some((scan) => scan === "Seq Scan webhook_events"))).toEqual([]);
  expect(plans.size).toBeGreaterThan(45);
}, 60_000);
