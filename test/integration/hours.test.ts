/** The hours that the cron writes down: they are what the events say, once, and again when the events say something else. */
import { beforeAll, expect, test } from "vitest";
import { configOf } from "../../src/config.ts";
import { HOURS_PER_RUN } from "../../src/core/limits.ts";
import { HOUR_MS } from "../../src/core/stats.ts";
import { fillHours } from "../../src/hours.ts";
import { fillHour } from "../../src/store/statements/fill-hours.ts";
import { sweep } from "../../src/sweep.ts";
import { type Ledger, ledger, unique } from "../support/ledger.ts";

let books: Ledger;
const NOW = Date.now();
const HOUR = Math.floor(NOW / HOUR_MS) * HOUR_MS;
beforeAll(async () => {
  books = await ledger("hours");
});

const add = (status: string, receivedMs: number, settledMs: number, source = "generic") =>
  books.run(
    `insert into webhook_events (source, event_id, type, status, opening, received_at, settled_at, sent_at, digest, content_type, headers)
    values ('${source}', '${unique("evt")}', 'test', '${status}', 1, to_timestamp(${receivedMs} / 1000.0), to_timestamp(${settledMs} / 1000.0), now(), 'd', 'application/json', '{}')`,
  );
const hours = () =>
  books.run(`select (extract(epoch from hour) * 1000)::float8 as at, source, received, completed, skipped, failed, p50_ms, p99_ms, xmin::text as written
    from webhook_hours where received + completed + skipped + failed > 0 order by hour, source`);

test("nothing is written of a ledger without events", async () => {
  expect(await fillHours(books.db(), NOW)).toBe(0);
});

test("an hour is written once, for each source and for all, and what has not changed is not written again", async () => {
  await add("completed", HOUR - 5 * HOUR_MS + 1_000, HOUR - 5 * HOUR_MS + 1_250);
  await add("failed", HOUR - 5 * HOUR_MS + 2_000, HOUR - 5 * HOUR_MS + 2_750, "stripe");
  // Not over yet.
  await add("completed", HOUR + 1, HOUR + 2);
  expect(await fillHours(books.db(), NOW)).toBe(5);
  const written = await hours();
  const at = HOUR - 5 * HOUR_MS;
  expect(written).toMatchObject([
    { at, source: "*", received: 2, completed: 1, skipped: 0, failed: 1, p50_ms: 250, p99_ms: 250 },
    { at, source: "generic", received: 1, completed: 1, failed: 0, p50_ms: 250 },
    { at, source: "stripe", received: 1, completed: 0, failed: 1, p50_ms: null },
  ]);
  expect(await books.run(`select count(*)::int as n from webhook_hours where source = '*'`)).toEqual([{ n: 5 }]);
  await Promise.all([fillHour(books.db(), at), fillHour(books.db(), at)]);
  expect(await hours()).toEqual(written);
});

test("what settled late in an hour that is filled already is in it after the next run", async () => {
  await add("completed", HOUR - HOUR_MS + 5, HOUR - 1);
  await fillHours(books.db(), NOW);
  expect((await hours()).at(-1)).toMatchObject({ at: HOUR - HOUR_MS, source: "generic", completed: 1, received: 1 });
});

test("events that an outage kept from the ledger for hours are in the hour of their arrival in the end", async () => {
  const at = HOUR - 5 * HOUR_MS;
  await add("completed", at + 3_000, HOUR - 10);
  for (let run = 0; run < 72; run++) await fillHours(books.db(), HOUR + run * 300_000);
  expect((await hours()).find((hour) => hour["at"] === at && hour["source"] === "*")).toMatchObject({ received: 3, completed: 1 });
});

test("an event that took longer than the column can tell is told as that", async () => {
  await add("completed", HOUR - 60 * 24 * HOUR_MS, HOUR - 5_000, "github");
  await books.run("delete from webhook_hours where hour < now() - interval '1 day'");
  await fillHours(books.db(), NOW);
  const [hour] = (await hours()).filter((one) => one["source"] === "github" && one["completed"] === 1);
  expect(hour).toMatchObject({ at: HOUR - HOUR_MS, p99_ms: 2_147_483_000 });
});

test("an old ledger is worked through in bounded runs", async () => {
  await books.run("delete from webhook_hours");
  const runs: number[] = [];
  for (let filled = HOURS_PER_RUN; filled >= HOURS_PER_RUN; runs.push(filled)) filled = await fillHours(books.db(), NOW);
  expect(runs.length).toBeGreaterThan(25);
  expect(runs.every((filled) => filled <= HOURS_PER_RUN + 1)).toBe(true);
  const [all] = await books.run(
    `select count(*)::int as n, ((extract(epoch from max(hour) - min(hour))) / 3600)::int + 1 as span from webhook_hours where source = '*'`,
  );
  expect(all?.["n"]).toBe(all?.["span"]);
});

test("the cron fills them, and a statement that fails takes nothing else along", async () => {
  await books.run("delete from webhook_hours");
  await sweep(books.env, configOf(books.env));
  expect((await books.run("select count(*)::int as n from webhook_hours"))[0]?.["n"]).toBeGreaterThan(0);
  await books.run("alter table webhook_hours rename to elsewhere");
  await expect(sweep(books.env, configOf(books.env))).resolves.toBeUndefined();
  await books.run("alter table elsewhere rename to webhook_hours");
});
