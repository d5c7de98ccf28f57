/** The consumer on a line that breaks: never acknowledged before it is committed, never twice, never counted, never stuck. */
import { connect } from "cloudflare:sockets";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { sql } from "drizzle-orm";
import { balances, entries, on } from "../support/own-app.ts";
import type { Fault } from "../support/fault-proxy.ts";
import { consume, type Ledger, ledger, message, unique } from "../support/ledger.ts";

let books: Ledger;
beforeAll(async () => {
  books = await ledger("wire");
});

/** The same ledger for a consumer whose line has this fault on it. */
async function broken(fault: Fault): Promise<Pick<Ledger, "env">> {
  const opened = await fetch(inject("faultControlUrl"), { method: "POST", body: JSON.stringify(fault) });
  const { port } = await opened.json<{ port: number }>();
  const { connectionString } = books.env.HYPERDRIVE;
  return { env: { ...env, HYPERDRIVE: { connectionString, connect: () => connect({ hostname: "127.0.0.1", port }) } as unknown as Hyperdrive } };
}

const credit = on("generic", "*", async ({ tx, data, event }) => {
  const { userId } = data as { userId: string };
  await tx.insert(entries).values({ reference: event.key, userId, amount: 1n });
  await tx
    .insert(balances)
    .values({ userId, balance: 1n })
    .onConflictDoUpdate({ target: balances.userId, set: { balance: sql`${balances.balance} + 1` } });
});

const FAULTS: [string, Fault][] = [
  ["refused", { kind: "refuse" }],
  ["accepted and closed", { kind: "close" }],
  ["accepted and reset", { kind: "reset" }],
  ["accepted and silent", { kind: "silence" }],
  ["too many connections", { kind: "fatal-start", sqlstate: "53300", message: "sorry, too many clients already" }],
  ["the database is starting up", { kind: "fatal-start", sqlstate: "57P03", message: "the database system is starting up" }],
  ["the pool has none to give", { kind: "fatal", at: "begin", sqlstate: "58000", message: "Failed to acquire a connection from the pool." }],
  ["cut at the record", { kind: "cut-before", at: "with incoming", how: "close" }],
  ["cut after the record", { kind: "cut-after", at: "with incoming", how: "reset", answeredBytes: 0 }],
  ["cut at the lock", { kind: "cut-before", at: "for update of e", how: "close" }],
  ["cut in the handler", { kind: "cut-before", at: "test_entries", how: "reset" }],
  ["cut in the middle of a row", { kind: "cut-after", at: "for update of e", how: "close", answeredBytes: 20 }],
  [
    "shut down by an administrator in the handler",
    { kind: "fatal", at: "test_balances", sqlstate: "57P01", message: "terminating connection due to administrator command" },
  ],
  ["cut before COMMIT reaches the server", { kind: "cut-before", at: "commit", how: "close" }],
  ["COMMIT is held back for longer than the server waits", { kind: "delay", at: "commit", ms: 8_000 }],
  ["cut after COMMIT, before its answer", { kind: "cut-after", at: "commit", how: "close", answeredBytes: 0 }],
];

describe.each(FAULTS)("%s", (_what, fault) => {
  test.each([1, 5])("%d events: given back, and one effect each once the line is whole", async (count) => {
    const userId = unique("user");
    const messages = await Promise.all(Array.from({ length: count }, () => message({ body: { userId } })));
    const { acked, retried } = await consume(await broken(fault), messages, [credit]);
    expect(acked).toEqual([]);
    expect(Object.keys(retried)).toHaveLength(count);
    const again = await consume(books, messages, [credit]);
    expect(again.acked).toHaveLength(count);
    expect(await books.balance(userId)).toBe(count);
    const rows = await Promise.all(messages.map((one) => books.row(one.facts.id)));
    expect(new Set(rows.map((row) => `${row?.status} ${row?.totalAttempts}`))).toEqual(new Set(["completed 0"]));
  });
});

test.each<[string, Fault, number]>([
  ["every piece is late", { kind: "slow", ms: 40 }, 400],
  ["COMMIT is late", { kind: "delay", at: "commit", ms: 1_500 }, 1_500],
])("slow, not broken: %s, and all is acknowledged in one go", async (_what, fault, atLeastMs) => {
  const userId = unique("user");
  const messages = await Promise.all(Array.from({ length: 5 }, () => message({ body: { userId } })));
  const startMs = Date.now();
  expect((await consume(await broken(fault), messages, [credit])).acked).toHaveLength(5);
  expect(Date.now() - startMs).toBeGreaterThan(atLeastMs);
  expect(await books.balance(userId)).toBe(5);
});

test("a flood of `too many connections`: given back until one gets through, one effect each, no attempt burnt", async () => {
  const userId = unique("user");
  const messages = await Promise.all(Array.from({ length: 3 }, () => message({ body: { userId } })));
  const flooded = await broken({ kind: "fatal-start", sqlstate: "53300", message: "sorry, too many clients already", times: 4 });
  let runs = 0;
  for (let acked = 0; acked < messages.length && runs < 10; runs++) acked = (await consume(flooded, messages, [credit])).acked.length;
  expect(runs).toBeGreaterThan(1);
  expect(await books.balance(userId)).toBe(3);
  const rows = await Promise.all(messages.map((one) => books.row(one.facts.id)));
  expect(new Set(rows.map((row) => `${row?.status} ${row?.totalAttempts}`))).toEqual(new Set(["completed 0"]));
});

test("cut in the handler again and again, a healthy event is no killer", async () => {
  const userId = unique("user");
  const one = await message({ body: { userId } });
  for (let time = 0; time < 8; time++) await consume(await broken({ kind: "cut-before", at: "test_entries", how: "close" }), [one], [credit]);
  await consume(books, [one], [credit]);
  expect(await books.row(one.facts.id)).toMatchObject({ status: "completed", totalAttempts: 0 });
  expect(await books.balance(userId)).toBe(1);
});
