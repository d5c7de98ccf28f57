/** Every writer re-asserts what it saw: a write that comes too late changes nothing. */
import { beforeAll, describe, expect, test } from "vitest";
import { fail } from "../../src/store/statements/fail.ts";
import { settle } from "../../src/store/statements/settle.ts";
import { endStarts, start } from "../../src/store/statements/start.ts";
import { storeBody } from "../../src/store/statements/body.ts";
import { consume, type Ledger, ledger, message } from "../support/ledger.ts";
import { on } from "../support/own-app.ts";

let books: Ledger;
beforeAll(async () => {
  books = await ledger("guards");
});

const pending = async () => {
  const one = await message();
  await consume(books, [one], [on("generic", "*", () => Promise.reject(new Error("so that its row is pending")))]);
  return one;
};
const completed = async () => {
  const one = await message();
  await consume(books, [one], [on("generic", "*", async () => undefined)]);
  return one;
};
const failure = (id: string, opening: number) =>
  ({
    source: "generic",
    id,
    opening,
    class: "unknown",
    phase: "handler",
    sqlstate: null,
    constraint: null,
    message: "late",
    stack: null,
    dead: true,
    reason: "late",
    delayMs: 0,
    build: null,
  }) as const;

describe("failed is written", () => {
  test("only in the opening that the run has seen", async () => {
    const one = await pending();
    for (const opening of [one.opening - 1, one.opening + 1]) expect(await fail(books.db(), failure(one.facts.id, opening))).toBeNull();
    expect(await books.row(one.facts.id)).toMatchObject({ status: "pending", attempts: 1 });
    expect(await books.attempts(one.facts.id)).toHaveLength(1);
  });
  test("never over completed", async () => {
    const one = await completed();
    expect(await fail(books.db(), failure(one.facts.id, one.opening))).toBeNull();
    expect(await books.row(one.facts.id)).toMatchObject({ status: "completed" });
  });
  test("for missing bytes only while the row has none", async () => {
    const one = await pending();
    expect(await fail(books.db(), { ...failure(one.facts.id, one.opening), unlessBody: true })).toBeNull();
  });
});

test("settle fails, and with it the effects, where the row is not what was locked", async () => {
  const one = await pending();
  const settled = {
    source: "generic",
    id: one.facts.id,
    opening: one.opening - 1,
    status: "completed",
    reason: null,
    after: "none",
    result: null,
    suspectedReplayOf: null,
  } as const;
  await expect(settle(books.db(), [settled], null)).rejects.toThrow("settled 0 of 1");
  expect(await books.row(one.facts.id)).toMatchObject({ status: "pending" });
});

test("a start is one at a time, and an orderly end clears only its own", async () => {
  const one = await pending();
  const key = { source: "generic", id: one.facts.id };
  expect(await start(books.db(), key, 60_000)).toMatchObject({ starts: 1 });
  expect(await start(books.db(), key, 60_000)).toBeNull();
  await endStarts(books.db(), [{ ...key, starts: 7, left: 0 }]);
  expect(await books.row(one.facts.id)).toMatchObject({ starts: 1 });
  await endStarts(books.db(), [{ ...key, starts: 1, left: 0 }]);
  expect(await books.row(one.facts.id)).toMatchObject({ starts: 0 });
  expect(await start(books.db(), { source: "generic", id: (await completed()).facts.id }, 0)).toBeNull();
});

test("bytes are written once: the first win", async () => {
  const one = await pending();
  await storeBody(books.db(), { source: "generic", id: one.facts.id }, { digest: "other", bytes: new Uint8Array([1]) });
  expect(await books.row(one.facts.id)).toMatchObject({ digest: one.facts.digest });
});
