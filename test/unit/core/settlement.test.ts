/** DESIGN 3.4: what a row means for the consumer, and what a failure means for its event. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ATTEMPTS_LIMIT, LARGE_BODY_BYTES, UNFINISHED_STARTS_LIMIT } from "../../../src/core/limits.ts";
import { attemptDelayMs } from "../../../src/core/retry.ts";
import { EARLY_TOLERANCE_MS, isKiller, judge, planRow, type RowSeen } from "../../../src/core/settlement.ts";
import { timings } from "../../../src/core/timings.ts";

const REAL = timings("real");
const row = (more: Partial<RowSeen> = {}): RowSeen => ({
  status: "pending",
  after: "none",
  unfinishedStarts: 0,
  bodyBytes: 100,
  dueInMs: 0,
  ...more,
});

describe("a row", () => {
  it.each([
    ["pending, with bytes", row(), { kind: "run" }],
    ["pending, overdue", row({ dueInMs: -5_000_000 }), { kind: "run" }],
    ["pending, an empty body: that is bytes", row({ bodyBytes: 0 }), { kind: "run" }],
    ["pending, the largest ordinary body", row({ bodyBytes: LARGE_BODY_BYTES }), { kind: "run" }],
    ["pending, a large body", row({ bodyBytes: LARGE_BODY_BYTES + 1 }), { kind: "large" }],
    ["pending, without bytes", row({ bodyBytes: null }), { kind: "fetch" }],
    ["pending, somebody never ended", row({ unfinishedStarts: 1 }), { kind: "suspect" }],
    ["a suspect without bytes is a suspect first", row({ unfinishedStarts: 2, bodyBytes: null }), { kind: "suspect" }],
    ["a copy before its time", row({ dueInMs: 60_000 }), { kind: "early", delayMs: 60_000 }],
    ["a suspect's copy before its time", row({ dueInMs: 60_000, unfinishedStarts: 1 }), { kind: "early", delayMs: 60_000 }],
    ["a copy that queues rounded", row({ dueInMs: EARLY_TOLERANCE_MS }), { kind: "run" }],
    ["completed", row({ status: "completed" }), { kind: "settled" }],
    ["completed, owing its after", row({ status: "completed", after: "owed" }), { kind: "after" }],
    ["completed, after done", row({ status: "completed", after: "done" }), { kind: "settled" }],
    ["completed, after given up", row({ status: "completed", after: "failed" }), { kind: "settled" }],
    ["skipped", row({ status: "skipped" }), { kind: "settled" }],
    ["failed", row({ status: "failed", bodyBytes: null }), { kind: "settled" }],
  ] as const)("%s", (_, seen, plan) => expect(planRow(seen, LARGE_BODY_BYTES)).toEqual(plan));

  it("that is settled never runs its handler again, whatever else it says", () => {
    const settled = fc.record({
      status: fc.constantFrom("completed", "skipped", "failed"),
      after: fc.constantFrom("none", "owed", "done", "failed"),
      unfinishedStarts: fc.nat(),
      bodyBytes: fc.option(fc.nat()),
      dueInMs: fc.integer(),
    } as const);
    fc.assert(
      fc.property(settled, (seen) => {
        const allowed = seen.after === "owed" ? ["after", "early"] : ["settled"];
        expect(allowed).toContain(planRow(seen, LARGE_BODY_BYTES).kind);
      }),
    );
  });
});

describe("a killer of isolates", () => {
  it("is told after more than three unfinished starts", () => {
    expect([0, 1, 2, 3, 4, 5].map(isKiller)).toEqual([false, false, false, false, true, true]);
    expect(isKiller(UNFINISHED_STARTS_LIMIT)).toBe(false);
  });
});

describe("a failure", () => {
  it("that is an outage is never counted, however often it comes", () => {
    fc.assert(
      fc.property(fc.nat(), (attempts) => {
        expect(judge({ class: "transient" }, attempts, REAL)).toEqual({ kind: "give_back" });
      }),
    );
  });

  it.each(["permanent", "killed"] as const)("%s is a dead letter at once", (reason) => {
    expect(judge({ class: reason }, 0, REAL)).toEqual({ kind: "count", dead: true, reason, delayMs: 0 });
  });

  it.each(["unknown", "handler_timeout"] as const)("%s is a dead letter at the eighth, and not before", (reason) => {
    const verdicts = Array.from({ length: ATTEMPTS_LIMIT + 1 }, (_, attempts) => judge({ class: reason }, attempts, REAL));
    expect(verdicts.map((verdict) => verdict.kind === "count" && verdict.dead)).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
      false,
      true,
      true,
    ]);
    expect(verdicts.slice(0, 7).map((verdict) => verdict.kind === "count" && verdict.delayMs)).toEqual(
      Array.from({ length: 7 }, (_, index) => attemptDelayMs(index + 1, REAL)),
    );
  });

  it("names its reason for the operator", () => {
    expect(judge({ class: "unknown" }, 7, REAL)).toMatchObject({ reason: "attempts_used_up" });
    expect(judge({ class: "handler_timeout" }, 7, REAL)).toMatchObject({ reason: "handler_timeout" });
  });

  it("that asks to wait gets its wait, and is counted all the same", () => {
    expect(judge({ class: "unknown", retryAfterSeconds: 45 }, 0, REAL)).toMatchObject({ dead: false, delayMs: 45_000 });
    expect(judge({ class: "unknown", retryAfterSeconds: 45 }, 7, REAL)).toMatchObject({ dead: true, delayMs: 0 });
  });
});
