/** Which time the figures cover, and that no bucket is missing or counted twice. */
import { describe, expect, it } from "vitest";
import { hoursToFill, inBuckets, type StatsRow, statsWindow } from "../../../src/core/stats.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2026, 10, 30, 10, 44, 7);

describe("the window", () => {
  it.each([
    [1, 1, "events"],
    [6, 5, "events"],
    [24, 15, "events"],
    [168, 60, "hours"],
    [720, 60, "hours"],
    [2_160, 1_440, "hours"],
  ] as const)("of %i hours has buckets of %i minutes, of %s, and all of the time asked for", (hours, minutes, of) => {
    const window = statsWindow(hours, NOW);
    expect(window).toMatchObject({ bucketMs: minutes * MINUTE, of });
    expect(window.toMs - window.fromMs).toBe(hours * HOUR);
    expect([window.fromMs % window.bucketMs, window.toMs % window.bucketMs]).toEqual([0, 0]);
  });

  it("ends with the bucket that is now, and of hours with the last that is over", () => {
    expect(statsWindow(1, NOW).toMs).toBe(Date.UTC(2026, 10, 30, 10, 45));
    expect(statsWindow(168, NOW).toMs).toBe(Date.UTC(2026, 10, 30, 10));
  });

  it("takes what nobody should ask for to its bounds", () => {
    expect(statsWindow(-5, NOW)).toEqual(statsWindow(1, NOW));
    expect(statsWindow(1e9, NOW)).toEqual(statsWindow(2_160, NOW));
    expect(statsWindow(Number.NaN, NOW)).toEqual(statsWindow(24, NOW));
  });
});

describe("buckets", () => {
  it("without rows are there with zeros, and rows of one bucket are one", () => {
    const window = statsWindow(1, NOW);
    const none = { received: 0, completed: 0, skipped: 0, failed: 0, p50Ms: null, p95Ms: null, p99Ms: null };
    const rows: StatsRow[] = [
      { ...none, atMs: window.fromMs, received: 3 },
      { ...none, atMs: window.fromMs, completed: 2, failed: 1, p50Ms: 5, p95Ms: 9, p99Ms: 9 },
      { ...none, atMs: null, received: 3 },
      { ...none, atMs: null, completed: 2, failed: 1, p50Ms: 5, p95Ms: 9, p99Ms: 9 },
    ];
    const { buckets, total } = inBuckets(window, rows);
    expect(buckets).toHaveLength(60);
    const both = { received: 3, completed: 2, skipped: 0, failed: 1, p50Ms: 5, p95Ms: 9, p99Ms: 9 };
    expect(buckets[0]).toEqual({ atMs: window.fromMs, ...both });
    expect(buckets.at(-1)).toEqual({ atMs: window.toMs - MINUTE, ...none });
    expect(total).toEqual(both);
  });
});

describe("the hours to fill", () => {
  const at = (hour: number): number => Date.UTC(2026, 10, 30, hour);

  it("are those that are over, from the first event's on", () => {
    expect(hoursToFill(at(7) + 5, null, NOW, 48)).toEqual([at(7), at(8), at(9)]);
    expect(hoursToFill(null, null, NOW, 48)).toEqual([]);
    expect(hoursToFill(at(10) + 5, null, NOW, 48)).toEqual([]);
  });

  it("are the last two again, and whatever a pause left out", () => {
    expect(hoursToFill(at(8), at(9), NOW, 48)).toEqual([at(8), at(9)]);
    expect(hoursToFill(at(5), at(5), NOW, 48)).toEqual([at(5), at(6), at(7), at(8), at(9)]);
  });

  it("are bounded, and the next run goes on", () => {
    const first = hoursToFill(at(9) - 100 * HOUR, null, NOW, 48);
    expect(first).toHaveLength(48);
    const lastMs = first.at(-1) ?? 0;
    const next = hoursToFill(at(9) - 100 * HOUR, lastMs, NOW, 48).filter((hourMs) => hourMs >= lastMs);
    expect(next[0]).toBe(lastMs);
    expect(next).toHaveLength(48);
  });

  it("are, one in each run, every hour of the last three days", () => {
    const again = new Set<number>();
    const runs = 144;
    // Twelve hours of runs: the clock moves on meanwhile.
    for (let run = 0; run < runs; run++)
      for (const hourMs of hoursToFill(at(9) - 500 * HOUR, at(9), NOW + run * 5 * MINUTE, 48).slice(0, 1)) again.add(hourMs);
    for (let back = 15; back < 70; back++) expect(again.has(at(9) - back * HOUR), `${back} hours back`).toBe(true);
    expect(hoursToFill(at(8), at(9), NOW, 48)[0]).toBe(at(8));
  });
});
