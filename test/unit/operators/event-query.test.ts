/** What may be asked of the list of events, and what is said to whoever asks otherwise. */
import { describe, expect, test } from "vitest";
import { readEventQuery } from "../../../src/operators/event-query.ts";

const filterOf = (query: Readonly<Record<string, unknown>>) => {
  const read = readEventQuery(query);
  return read.ok ? read.value.filter : read.failure;
};

describe("a query", () => {
  test("of nothing is the newest page of all", () =>
    expect(readEventQuery({})).toEqual({ ok: true, value: { filter: {}, cursor: null, limit: 50 } }));

  test("of everything is the filter that it says", () => {
    const query = {
      status: "failed",
      after: "none",
      source: "stripe",
      type: "a.b",
      prefix: "evt_",
      fingerprint: "0123456789ab",
      from: "0",
      to: "2026-11-30T03:00:00Z",
    };
    expect(filterOf(query)).toEqual({
      status: "failed",
      after: "none",
      source: "stripe",
      type: "a.b",
      idPrefix: "evt_",
      fingerprint: "0123456789ab",
      fromMs: 0,
      toMs: Date.UTC(2026, 10, 30, 3),
    });
  });

  test.each([
    ["2026-11-30", Date.UTC(2026, 10, 30)],
    ["2026-11-30T03:04", Date.UTC(2026, 10, 30, 3, 4)],
    ["2026-11-30T03:04:05.678+01:00", Date.UTC(2026, 10, 30, 2, 4, 5, 678)],
    ["2026-11-30T03:04:05-0130", Date.UTC(2026, 10, 30, 4, 34, 5)],
    ["1764471845678", 1_764_471_845_678],
  ])("takes the time %s", (from, fromMs) => expect(filterOf({ from })).toEqual({ fromMs }));

  const TIME = "ISO 8601";
  test.each<[Readonly<Record<string, unknown>>, string, string]>([
    [{ status: "fialed" }, '"status" is "fialed"', "one of pending, completed, skipped, failed"],
    [{ status: ["failed", "failed"] }, '"status" is ["failed","failed"]', "one of"],
    [{ after: "maybe" }, '"after" is "maybe"', "none, owed, done, failed"],
    [{ source: "" }, '"source" is ""', "1 to 64 bytes"],
    [{ source: "x".repeat(65) }, '"source"', "1 to 64 bytes"],
    [{ type: "a\0b" }, '"type"', "without NUL"],
    [{ type: ["a", "b"] }, '"type"', "given once"],
    [{ prefix: "é".repeat(257) }, '"prefix"', "1 to 512 bytes"],
    [{ prefix: "\uD800" }, '"prefix"', "text"],
    [{ fingerprint: "0123" }, '"fingerprint" is "0123"', "12 hex digits"],
    [{ from: "yesterday" }, '"from" is "yesterday"', TIME],
    [{ from: "2026-02-31" }, '"from"', TIME],
    [{ from: "-1" }, '"from"', TIME],
    [{ to: "2026-11-30T25:00" }, '"to"', TIME],
    [{ from: "5", to: "5" }, '"to" is "5"', 'later than "from"'],
    [{ limit: "0" }, '"limit" is "0"', "1 to 200"],
    [{ limit: "201" }, '"limit"', "1 to 200"],
    [{ limit: "1e2" }, '"limit"', "1 to 200"],
    [{ cursor: "x" }, '"cursor" is "x"', "`next`"],
    [{ colour: "red" }, '"colour" is unknown', "known are status, after, source"],
    [{ ["x".repeat(500)]: "1" }, "...", "known are"],
  ])("refuses %j in words", (query, what, must) => {
    const read = readEventQuery(query);
    expect(read.ok).toBe(false);
    if (read.ok) return;
    expect(read.failure).toContain(what);
    expect(read.failure).toContain(must);
    expect(read.failure.length).toBeLessThan(400);
  });

  test("with two mistakes hears of both", () => {
    const failure = filterOf({ status: "x", limit: "y" });
    expect(failure).toContain('"status"');
    expect(failure).toContain('"limit"');
  });
});
