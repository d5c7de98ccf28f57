/** What a handler may throw to say more than "failed". */
import { expect, test } from "vitest";
import { PermanentError, RETRY_AFTER_LIMIT_SECONDS, RetryAfterError } from "../../../src/core/errors.ts";

test.for([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("a wait of %d seconds is a mistake, said at once", (seconds) => {
  expect(() => new RetryAfterError("later", seconds)).toThrow(RangeError);
});

test("a wait is capped at 12 hours", () => {
  expect(new RetryAfterError("later", 0.5).afterSeconds).toBe(0.5);
  expect(new RetryAfterError("later", 1e9).afterSeconds).toBe(RETRY_AFTER_LIMIT_SECONDS);
});

test("both are errors with names and causes", () => {
  const cause = new Error("inner");
  expect(new PermanentError("no", { cause })).toMatchObject({ name: "PermanentError", message: "no", cause });
  expect(new RetryAfterError("no", 1, { cause })).toMatchObject({ name: "RetryAfterError", message: "no", cause });
});
