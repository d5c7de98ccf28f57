/** What reaches a log line of an error: its reason, and nothing of a payload. */
import { DrizzleQueryError } from "drizzle-orm/errors";
import { describe, expect, test } from "vitest";
import { brief, errorText, frames } from "../../src/log.ts";

const CANARY = "canary-9917";

describe("errorText", () => {
  test("is the deepest cause, never Drizzle's parameters", () => {
    const cause = Object.assign(new Error(`invalid input syntax for type integer: "${CANARY}"`), { code: "22P02" });
    const text = errorText(new DrizzleQueryError("insert into t values ($1)", [CANARY], cause));
    expect(text).toBe('Error: invalid input syntax for type integer: "..."');
  });
  test("keeps names that Postgres quotes where they are no data", () => {
    expect(errorText(Object.assign(new Error('relation "orders" does not exist'), { code: "42P01" }))).toBe(
      'Error: relation "orders" does not exist',
    );
  });
  test("of a value that is no error, of a cycle of causes, and of many lines", () => {
    expect(errorText("just text")).toBe("just text");
    const loop = new Error("loop");
    loop.cause = loop;
    expect(errorText(loop)).toBe("Error: loop");
    expect(errorText(new Error(`first\n${CANARY}`))).toBe("Error: first");
  });
});

test("a line is bounded, and names stay", () => {
  expect(brief("x".repeat(1_000))).toHaveLength(400);
  expect(brief('duplicate key value violates unique constraint "orders_pkey"', "23505")).toContain("orders_pkey");
});

test.each([
  ["a payload as a message", JSON.stringify({ id: "evt_1", card: CANARY }), "{...}"],
  ["a payload in a message", `no plan for ${JSON.stringify([{ card: CANARY }])} yet`, "no plan for {...}"],
  ["a parser's quote", `Unexpected token 'c', "${CANARY}" is not valid JSON`, "Unexpected token 'c', \"...\" is not valid JSON"],
  [
    "a parser's shortened quote",
    `Unexpected token 'c', ..."x":"${CANARY}"... is not valid JSON`,
    "Unexpected token 'c', ...\"...\"... is not valid JSON",
  ],
  ["a password", `connect ECONNREFUSED postgres://u:${CANARY}@db.example:5432/x`, "connect ECONNREFUSED postgres://...@db.example:5432/x"],
  [
    "nothing of the kind",
    "order [7] of {user} is not committed: https://example.com/orders/7",
    "order [7] of {user} is not committed: https://example.com/orders/7",
  ],
])("what is left of %s", (_what, message, text) => {
  expect(brief(message)).toBe(text);
});

test("frames are a stack without its message", () => {
  const stack = `Error: ${CANARY}\n${CANARY}\n    at run (file.ts:1:2)\n    at async go (file.ts:3:4)`;
  expect(frames(stack)).toBe("    at run (file.ts:1:2)\n    at async go (file.ts:3:4)");
});
