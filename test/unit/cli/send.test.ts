import { describe, expect, it } from "vitest";
import { inWords } from "../../../cli/commands/send.ts";
import { isExpected, planDeliveries, tally, type Delivery } from "../../../cli/send/plan.ts";
import { bar } from "../../../cli/progress.ts";

const isForged = (one: Delivery): boolean => one.variant === "wrong_secret";

describe("planDeliveries", () => {
  it("delivers each event 1 + duplicates times, its copies side by side so that they race", () => {
    expect(planDeliveries({ count: 2, duplicates: 2, invalid: 0, variant: null }).map((one) => one.event)).toEqual([0, 0, 0, 1, 1, 1]);
  });

  it("wrongs every delivery with a variant", () => {
    expect(planDeliveries({ count: 2, duplicates: 1, invalid: 0, variant: "stale" }).map((one) => one.variant)).toEqual([
      "stale",
      "stale",
      "stale",
      "stale",
    ]);
  });

  it("adds the forged ones on top, with events of their own, spread over the run", () => {
    const plan = planDeliveries({ count: 100, duplicates: 3, invalid: 5, variant: null });
    expect(plan).toHaveLength(405);
    const forged = plan.filter(isForged);
    expect(forged.map((one) => one.event)).toEqual([100, 101, 102, 103, 104]);
    expect(plan.slice(0, 200).some(isForged)).toBe(true);
    expect(new Set(plan.filter((one) => !isForged(one)).map((one) => one.event)).size).toBe(100);
  });

  it.each([
    { count: 1, duplicates: 0, invalid: 0 },
    { count: 1, duplicates: 0, invalid: 7 },
    { count: 3, duplicates: 1, invalid: 50 },
  ])("loses none: %o", (options) => {
    const plan = planDeliveries({ ...options, variant: null });
    expect(plan.filter(isForged)).toHaveLength(options.invalid);
    expect(plan.filter((one) => !isForged(one))).toHaveLength(options.count * (1 + options.duplicates));
  });
});

describe("isExpected", () => {
  it.each([
    [null, 202, "queued", true],
    [null, 200, "done", true],
    [null, 204, "queued", true],
    [null, 401, "rejected", false],
    [null, 503, "rejected", false],
    [null, 0, "no answer", false],
    ["tamper", 401, "rejected", true],
    ["stale", 400, "rejected", true],
    ["future", 202, "queued", false],
    ["wrong_secret", 200, "done", false],
    // Refused by something else than the receiver, or because it cannot, and not because it must.
    ["wrong_secret", 404, "no holdfast-status (HTTP 404)", false],
    ["wrong_secret", 503, "rejected", false],
    ["wrong_secret", 0, "no answer", false],
  ] as const)("%s, %i %s: %s", (variant, status, outcome, expected) => {
    expect(isExpected({ event: 0, variant, status, outcome, detail: "" })).toBe(expected);
  });
});

it("tallies the most frequent first", () => {
  expect(tally(["a", "b", "b", "c", "c"])).toEqual([
    ["b", 2],
    ["c", 2],
    ["a", 1],
  ]);
});

it("draws a bar at both ends", () => {
  expect(bar(0, 10)).toContain("·".repeat(30));
  expect(bar(10, 10)).toContain("█".repeat(30));
  expect(bar(0, 0)).toContain("0/0");
});

describe("inWords", () => {
  const report = {
    deliveries: 3,
    seconds: 0.5,
    answers: { queued: 1, pending: 2 },
    unexpected: 0,
    examples: [],
    acknowledged: 1,
    events: { completed: 1, skipped: 0, failed: 0, pending: 0 },
    effects: 1,
    reasons: [],
    ok: true,
  };
  const sent = { count: 1, invalid: 0, wait: 60, mustBeRefused: false };

  it("says one event, three deliveries, one effect", () => {
    const text = inWords(report, sent);
    expect(text).toContain("1 event, 3 deliveries");
    expect(text).toMatch(/queued +1/);
    expect(text).toMatch(/completed +1/);
    expect(text).toContain("1 effect (");
    expect(text).not.toContain("skipped");
  });

  it("says what is still pending, and that a ledger cannot be read", () => {
    expect(inWords({ ...report, events: { ...report.events, pending: 4 } }, sent)).toContain("still pending after 60 s");
    expect(inWords({ ...report, events: null, effects: null }, sent)).toContain("--database-url");
  });

  it("says whether what must be refused was", () => {
    const refused = { ...report, acknowledged: 0, answers: { rejected: 3 }, effects: null };
    expect(inWords(refused, { ...sent, mustBeRefused: true })).toContain("refused, as it must be");
    expect(inWords({ ...refused, ok: false }, { ...sent, mustBeRefused: true })).toContain("not refused as it must be");
  });
});
