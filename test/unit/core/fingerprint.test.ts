/** An error's title: what a thousand failures of one kind have in common, whatever text is thrown. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorTitle } from "../../../src/core/fingerprint.ts";

const ALIKE: readonly (readonly [string, string, string])[] = [
  ["a database's words, without the statement", "numeric field overflow\nstatement: insert into a values ($1)", "numeric field overflow"],
  ["numbers", "order 4711 not found", "order <n> not found"],
  ["numbers with signs, points and units", "got -1.5e10 of 20%, in 2000ms", "got <n> of <n>, in <n>"],
  ["ids with letters and digits", "order ord_8XaB not found", "order <id> not found"],
  ["uuids", "customer 0b0e5ab0-1111-4222-8333-123456789abc can't be found", "customer <id> can't be found"],
  ["times", "due at 2026-01-02T03:04:05.123Z, not 2026-01-03", "due at <time>, not <time>"],
  ["quoted text of every kind", "bad 'x', \"y\", `z`, “u” and «v»", 'bad "...", "...", "...", "..." and "..."'],
  ["quotes within what a parser quotes", `Unexpected token 'a', "{"a": "b"..." is not valid JSON`, 'Unexpected token "...", "..." is not valid JSON'],
  ["JSON", 'payload {"amount":1} is bad', "payload {...}"],
  ["addresses", "GET https://api.example/v1/x?y=z failed for a.b+c@mail.example", "GET <url> failed for <id>"],
  ["long words", `no ${"x".repeat(49)}`, "no <id>"],
  ["what stands before the first line with words", "[\n  {\n    the amount is missing\n", "the amount is missing"],
];
const KEPT: readonly (readonly [string, string])[] = [
  ["names that Postgres quotes", 'duplicate key value violates unique constraint "balances_pkey2"'],
  ["apostrophes in words", "the handler's result can't be stored"],
  ["names with underscores", "no row in user_balances"],
];

describe("a title", () => {
  test.each(ALIKE)("leaves out %s", (_, message, title) => expect(errorTitle(message)).toBe(title));
  test.each(KEPT)("keeps %s", (_, message) => expect(errorTitle(message)).toBe(message));

  test("of no words says so", () => {
    for (const nothing of ["", "\n\n", "💥", "12", "[]"]) expect(errorTitle(nothing)).toBe("no message");
  });

  test("is one bounded, well-formed line that controls nothing, whatever is thrown", () => {
    const hostile = fc.oneof(
      fc.string({ unit: "binary", maxLength: 3_000 }),
      fc.string({ unit: fc.constantFrom('"', "'", "{", "[", " ", "a", "1", "@", "\u202E", "\uD800", "\n", "\0", "\u001B"), maxLength: 3_000 }),
    );
    fc.assert(
      fc.property(hostile, (message) => {
        const title = errorTitle(message);
        expect(title.length).toBeGreaterThan(0);
        expect(title.length).toBeLessThanOrEqual(200);
        expect(title.isWellFormed()).toBe(true);
        expect(title).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 300 },
    );
  });

  test("is the same for every number in a sentence", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), (a, b) => {
        expect(errorTitle(`row ${a} has ${b}`)).toBe("row <n> has <n>");
      }),
    );
  });

  test("of a megabyte of quotes, brackets or addresses is made at once", () => {
    for (const piece of ['"', "'", "[", "{ ", "a@", "http://", '"is not valid JSON', "1.", "a-"]) {
      const startMs = performance.now();
      errorTitle(piece.repeat(1_000_000 / piece.length));
      expect(performance.now() - startMs, piece).toBeLessThan(100);
    }
  });
});
