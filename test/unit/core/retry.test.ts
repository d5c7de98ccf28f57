/** Waits have bounds, in both speeds, whatever numbers come in. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ATTEMPTS_LIMIT } from "../../../src/core/limits.ts";
import { attemptDelayMs, delaySeconds, resendDelayMs, transientDelayMs, watchdogDelayMs } from "../../../src/core/retry.ts";
import { timings } from "../../../src/core/timings.ts";

const REAL = timings("real");
const QUEUE_DELAY_LIMIT_SECONDS = 43_200;
const counts = fc.integer({ min: 0, max: 2 ** 31 });
const randoms = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe("a refused send", () => {
  it("is tried after 1 s, 2, 4 ... up to 5 min, after an hour hourly", () => {
    const seconds = Array.from({ length: 12 }, (_, index) => resendDelayMs(index + 1, 0, REAL) / 1_000);
    expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]);
    expect(resendDelayMs(13, 3_599_999, REAL)).toBe(300_000);
    expect(resendDelayMs(14, 3_600_000, REAL)).toBe(3_600_000);
  });
});

describe("the watchdog", () => {
  it("waits 1 h, then four times as long, at most a day", () => {
    expect([0, 1, 2, 3, 400].map((watchdogs) => watchdogDelayMs(watchdogs, REAL) / 3_600_000)).toEqual([1, 4, 16, 24, 24]);
  });
});

describe("counted attempts", () => {
  it("are eight over about 12 hours", () => {
    const waits = Array.from({ length: ATTEMPTS_LIMIT - 1 }, (_, index) => attemptDelayMs(index + 1, REAL));
    const hours = waits.reduce((sum, ms) => sum + ms, 0) / 3_600_000;
    expect(hours).toBeGreaterThan(11);
    expect(hours).toBeLessThan(13);
    expect(waits).toEqual(waits.toSorted((left, right) => left - right));
    expect(waits[0]).toBe(10_000);
  });

  it("have a wait for every wait that the limit asks for, no more and no less", () => {
    expect(REAL.attemptDelaysMs).toHaveLength(ATTEMPTS_LIMIT - 1);
  });

  it("never read past the list: an odd count waits like the nearest one", () => {
    expect(attemptDelayMs(0, REAL)).toBe(attemptDelayMs(1, REAL));
    expect(attemptDelayMs(-3, REAL)).toBe(attemptDelayMs(1, REAL));
    expect(attemptDelayMs(99, REAL)).toBe(REAL.attemptDelaysMs.at(-1));
  });
});

describe("an outage", () => {
  it("gives back for 5 s, doubling to 15 min, with jitter over the upper half", () => {
    expect([1, 2, 3].map((deliveries) => transientDelayMs(deliveries, 0, REAL))).toEqual([2_500, 5_000, 10_000]);
    expect(transientDelayMs(1, 0.999_999, REAL)).toBe(5_000);
    expect(transientDelayMs(99, 0, REAL)).toBe(450_000);
    expect(transientDelayMs(99, 0.999_999_999, REAL)).toBeLessThanOrEqual(900_000);
  });

  it("does not bring everything back at once", () => {
    const waits = new Set(Array.from({ length: 100 }, (_, index) => delaySeconds(transientDelayMs(9, index / 100, REAL))));
    expect(waits.size).toBeGreaterThan(90);
  });
});

describe.each(["real", "fast"] as const)("with timings %s", (speed) => {
  const t = timings(speed);

  it("every wait is positive, bounded, and grows with its count", () => {
    fc.assert(
      fc.property(counts, counts, randoms, (n, forMs, random) => {
        expect(resendDelayMs(n + 1, forMs, t)).toBeGreaterThanOrEqual(1_000);
        expect(resendDelayMs(n + 1, forMs, t)).toBeLessThanOrEqual(Math.max(t.resendCapMs, t.resendSlowMs));
        expect(watchdogDelayMs(n + 1, t)).toBeGreaterThanOrEqual(watchdogDelayMs(n, t));
        expect(watchdogDelayMs(n, t)).toBeLessThanOrEqual(t.watchdogCapMs);
        expect(attemptDelayMs(n + 1, t)).toBeGreaterThanOrEqual(attemptDelayMs(n, t));
        expect(transientDelayMs(n, random, t)).toBeGreaterThan(0);
        expect(transientDelayMs(n, random, t)).toBeLessThanOrEqual(t.transientDelayCapMs);
        expect(transientDelayMs(n + 1, random, t)).toBeGreaterThanOrEqual(transientDelayMs(n, random, t));
      }),
    );
  });

  it("what a queue is asked to wait is whole seconds, at most 12 hours, never too early", () => {
    const waits = fc.oneof(
      counts.map((n) => attemptDelayMs(n, t)),
      fc.tuple(counts, randoms).map(([n, random]) => transientDelayMs(n, random, t)),
      fc.integer({ min: -(2 ** 40), max: 2 ** 50 }),
    );
    fc.assert(
      fc.property(waits, (ms) => {
        const seconds = delaySeconds(ms);
        expect(Number.isSafeInteger(seconds)).toBe(true);
        expect(seconds).toBeGreaterThanOrEqual(0);
        expect(seconds).toBeLessThanOrEqual(QUEUE_DELAY_LIMIT_SECONDS);
        if (ms <= QUEUE_DELAY_LIMIT_SECONDS * 1_000) expect(seconds * 1_000).toBeGreaterThanOrEqual(ms);
      }),
    );
  });
});
