/** Signed times: three units, one window in both directions, no lenient reading. */
import { describe, expect, it } from "vitest";
import { outsideWindow, readTime, timeMs, writeTime } from "../../../src/schemes/timestamp.ts";
import { NOW_MS, TOLERANCE_MS } from "./requests.ts";

const S = { at: "signature", unit: "s" } as const;

it.each([
  ["s", "1767225600", NOW_MS],
  ["ms", "1767225600000", NOW_MS],
  ["iso", "2026-01-01T00:00:00Z", NOW_MS],
  ["iso", "2026-01-01T00:00:00.123456789Z", NOW_MS + 123],
  ["iso", "2025-12-31T16:00:00-08:00", NOW_MS],
  ["iso", "2026-01-01 00:00:00+0000", NOW_MS],
] as const)("%s %s", (unit, text, ms) => expect(timeMs(text, unit)).toBe(ms));

it.each([
  ["s", ["1767225600.0", "+1767225600", "0x6955b900", "1767225600abc", " ", "-1", "1e9", "9".repeat(16), "１７６７２２５６００", "Infinity", "NaN"]],
  ["ms", ["1767225600000.5", " 1767225600000", ""]],
  [
    "iso",
    ["2026-01-01T00:00:00", "2026-01-01", "1767225600", "Thu, 01 Jan 2026 00:00:00 GMT", "2026-13-01T00:00:00Z", "2026-01-01T00:00:00.1234567890Z"],
  ],
] as const)("%s is none of %j", (unit, texts) => {
  for (const text of texts) expect(timeMs(text, unit), text).toBeNaN();
});

it("refuses two different times for one signature, whichever stands first, and takes the same twice", () => {
  expect(readTime(S, ["1767225600", "1767225601"], "p")).toMatchObject({ ok: false, failure: { reason: "timestamp_malformed" } });
  expect(readTime(S, ["1767225600", "01767225600"], "p")).toMatchObject({ ok: false });
  expect(readTime(S, ["1767225600", "1767225600"], "p")).toMatchObject({ ok: true, value: { text: "1767225600", sentAtMs: NOW_MS } });
  expect(readTime(S, [], "p")).toMatchObject({ failure: { reason: "timestamp_missing", place: "p" } });
});

describe("the window", () => {
  it.each([
    [0, null],
    [-TOLERANCE_MS, null],
    [TOLERANCE_MS, null],
    [-TOLERANCE_MS - 1, "timestamp_too_old"],
    [TOLERANCE_MS + 1, "timestamp_in_future"],
    [-86_400_000, "timestamp_too_old"],
    [86_400_000, "timestamp_in_future"],
    [Number.NaN, "timestamp_too_old"],
  ])("%i ms from now: %s", (offsetMs, reason) => {
    expect(outsideWindow(NOW_MS + offsetMs, NOW_MS, TOLERANCE_MS)?.reason ?? null).toBe(reason);
  });
});

it("what is written is read", () => {
  for (const unit of ["s", "ms", "iso"] as const)
    expect(timeMs(writeTime({ at: "signature", unit }, NOW_MS + 789), unit)).toBe(unit === "s" ? NOW_MS : NOW_MS + 789);
});
