/** Many events again by one order: planned, begun, stepped through, cancelled; each row once, each with its audit row. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { PermanentError } from "#holdfast";
import type { ReplayRunView } from "../../src/core/operators.ts";
import { control } from "../support/control.ts";
import { consume, type Ledger, ledgerOn, message, unique } from "../support/ledger.ts";
import { auditOf, call } from "../support/operators.ts";
import { on } from "../support/own-app.ts";

let books: Ledger;
beforeAll(() => {
  // The object's own: it opens its connections itself.
  books = ledgerOn(env.HYPERDRIVE);
  control.queue = async (batch) => batch.ackAll();
});

async function deadLetters(count: number, type: string): Promise<readonly string[]> {
  const made = await Promise.all(Array.from({ length: count }, () => message({ type, opening: Date.now() - 60_000 })));
  await consume(books, made, [on("generic", "*", () => Promise.reject(new PermanentError("broken")))]);
  return made.map(({ facts }) => facts.id);
}
const order = (type: string, more: object = {}) =>
  call("POST", "/replays", { filter: { type }, withPermanent: true, ratePerSecond: 100, ...more }, books.env);
const start = async (type: string, more: object = {}) => (await order(type, { dryRun: false, ...more })).body as ReplayRunView;
const step = (id: string) => runInDurableObject(env.REPLAY_RUNS.getByName(id), (run) => run.alarm());
const seen = async (id: string) => (await call("GET", `/replays/${id}`, undefined, books.env)).body as ReplayRunView;

test("a dry run is the default, counts, and changes nothing", async () => {
  const type = unique("dry");
  const [id = ""] = await deadLetters(3, type);
  expect(await order(type, { rowLimit: 2 })).toMatchObject({ status: 200, body: { plan: { matched: 3, permanent: 0, willReplay: 2 } } });
  expect((await order(type, { withPermanent: false })).body).toMatchObject({ plan: { matched: 3, permanent: 3, willReplay: 0 } });
  expect(await books.row(id)).toMatchObject({ status: "failed", replays: 0 });
});

test("a run opens each event once, with its audit row, and is then completed", async () => {
  const type = unique("run");
  const ids = await deadLetters(3, type);
  const { id } = await start(type);
  await Promise.all([step(id), step(id)]);
  expect(await seen(id)).toMatchObject({ status: "completed", replayed: 3, willReplay: 3, outcomes: { pending: 3, failed: 0 } });
  for (const one of ids) {
    expect(await books.row(one)).toMatchObject({ status: "pending", replays: 1 });
    expect(await auditOf(books, one)).toEqual([{ actor: "admin token", action: "replay", details: { replay: id } }]);
  }
});

test("a run without withPermanent leaves permanent failures alone", async () => {
  const type = unique("permanent");
  const [one = ""] = await deadLetters(1, type);
  const { id } = await start(type, { withPermanent: false });
  await step(id);
  expect(await seen(id)).toMatchObject({ status: "completed", replayed: 0 });
  expect(await books.row(one)).toMatchObject({ status: "failed", replays: 0 });
});

test("a cancelled run opens nothing more, and cannot be cancelled again", async () => {
  const type = unique("cancel");
  await deadLetters(3, type);
  const { id } = await start(type, { ratePerSecond: 1 });
  expect((await call("POST", `/replays/${id}/cancel`, undefined, books.env)).body).toMatchObject({ status: "cancelled" });
  const { replayed } = await seen(id);
  await step(id);
  expect(await seen(id)).toMatchObject({ status: "cancelled", replayed });
  expect(replayed).toBeLessThan(3);
  expect((await call("POST", `/replays/${id}/cancel`, undefined, books.env)).status).toBe(409);
});

test("an event that fails again is not replayed by the same run again", async () => {
  const type = unique("again");
  const [first = ""] = await deadLetters(2, type);
  const { id } = await start(type, { ratePerSecond: 1 });
  await books.run(`update webhook_events set opening = ${Date.now() + 60_000} where event_id = '${first}'`);
  await step(id);
  await step(id);
  expect(await seen(id)).toMatchObject({ status: "completed", replayed: 1 });
  expect(await books.row(first)).toMatchObject({ status: "failed", replays: 0 });
});

test("an unknown run is a 404", async () => {
  expect((await call("GET", "/replays/'; drop table", undefined, books.env)).status).toBe(404);
});
