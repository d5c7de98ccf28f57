/** What is kept of an error: enough to act on, bounded, clean, and without the payload. */
import { describe, expect, test } from "vitest";
import { ERROR_MESSAGE_LIMIT_BYTES, STACK_LIMIT_BYTES } from "../../../src/core/limits.ts";
import { failureMessage, failureStack } from "../../../src/store/failure-text.ts";
import { drizzled, fromPostgres, SECRET, STATEMENT } from "./errors.ts";

describe("parameters are payload", () => {
  const inner = fromPostgres("23505", "duplicate key value", { detail: `Key (card)=(${SECRET}) already exists.` });
  const failed = drizzled(inner);

  test("the statement is kept, its parameters are not, nor the server's detail", () => {
    expect(failureMessage(failed)).toBe(`duplicate key value\nstatement: ${STATEMENT}`);
    expect(failureStack(failed)).toContain(STATEMENT);
    expect(failureStack(failed)).toContain("caused by PostgresError: duplicate key value");
    expect(failureStack(failed)).not.toContain(SECRET);
  });

  test("not in an error that repeats the message, or that has no cause any more", () => {
    for (const error of [new Error(`could not save: ${failed.message}`), new Error(failed.message), new Error("outer", { cause: failed })]) {
      expect(failureMessage(error)).not.toContain(SECRET);
      expect(failureStack(error)).not.toContain(SECRET);
    }
  });

  test("not in a parameter that looks like a frame of a stack", () => {
    const shaped = new Error(`Failed query: ${STATEMENT}\nparams: x\n    at ${SECRET}`);
    expect(failureStack(shaped)).not.toContain(SECRET);
    expect(failureStack(shaped)).toMatch(/\n {4}at .*failure-text\.test\.ts/);
  });
});

test("what a handler threw by itself is kept as it is, with its frames", () => {
  const error = new TypeError("x is undefined");
  expect(failureMessage(error)).toBe("x is undefined");
  expect(failureStack(error)).toMatch(/^TypeError: x is undefined\n {4}at .*failure-text\.test\.ts/);
});

test("a thrown non-error is said as well as it can be", () => {
  expect(failureMessage("just text")).toBe("just text");
  expect(failureMessage({ message: "shaped" })).toBe("shaped");
  expect(failureMessage(undefined)).toBe("undefined");
  expect(failureMessage({})).toBe("thrown without a message");
  expect(failureMessage(Symbol("s"))).toBe("Symbol(s)");
});

test("bounded in bytes, without NUL, well-formed, cut between characters", () => {
  const encoder = new TextEncoder();
  const message = failureMessage(new Error(`\0\u{d800}${"€".repeat(ERROR_MESSAGE_LIMIT_BYTES)}`));
  expect(encoder.encode(message).byteLength).toBeLessThanOrEqual(ERROR_MESSAGE_LIMIT_BYTES);
  expect(encoder.encode(message).byteLength).toBeGreaterThan(ERROR_MESSAGE_LIMIT_BYTES - 4);
  expect(message).toMatch(/^\u{fffd}\u{fffd}€+$/u);
  expect(message.isWellFormed()).toBe(true);
  const deep = new Error("x".repeat(STACK_LIMIT_BYTES), { cause: new Error("inner") });
  expect(encoder.encode(failureStack(deep)).byteLength).toBeLessThanOrEqual(STACK_LIMIT_BYTES);
  expect(failureMessage(new Error(`${"x".repeat(ERROR_MESSAGE_LIMIT_BYTES - 1)}\u{1f600}`)).isWellFormed()).toBe(true);
});
