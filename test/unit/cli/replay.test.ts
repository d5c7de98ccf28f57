/** `npm run replay` of many events: what is asked, what is shown, how the watching ends. */
import { describe, expect, test } from "vitest";
import type { RunView } from "../../../cli/replay/api.ts";
import { follow, type Watch } from "../../../cli/replay/follow.ts";
import { kindsOf } from "../../../cli/replay/kinds.ts";
import { hasCondition, listsOf, orderOf } from "../../../cli/replay/order.ts";
import { endText, exitCodeOf, planText } from "../../../cli/replay/words.ts";
import type { EventSummary } from "../../../src/core/operators.ts";
import { HOSTILE } from "../console/fixtures.ts";

const event: EventSummary = {
  source: "stripe",
  id: "evt_1",
  type: "charge.refunded",
  status: "failed",
  reason: "attempts_used_up",
  after: "none",
  receivedAtMs: 1,
  settledAtMs: 2,
  attempts: 8,
  totalAttempts: 8,
  replays: 0,
  duplicates: 0,
  mismatches: 0,
  fingerprint: "0123456789ab",
  error: "no user 17",
};
const outcomes = { pending: 0, completed: 3, skipped: 0, failed: 0 };
const run: RunView = {
  ...orderOf({ status: "failed" }),
  id: "a-run",
  actor: "admin token",
  startedAtMs: 1,
  finishedAtMs: 2,
  status: "completed",
  matched: 3,
  willReplay: 3,
  replayed: 3,
  lastError: null,
  outcomes,
};

describe("an order", () => {
  test("says only the conditions that were given", () => {
    expect(orderOf({ source: "stripe", from: 5, prefix: "evt_", rate: 3, withPermanent: true, reason: "mended" })).toEqual({
      filter: { source: "stripe", fromMs: 5, idPrefix: "evt_" },
      withPermanent: true,
      ratePerSecond: 3,
      rowLimit: 1_000,
      reason: "mended",
    });
  });

  test("of everything is not given by leaving the conditions out", () => {
    expect(hasCondition(orderOf({}).filter)).toBe(false);
    expect(hasCondition({ status: "failed" })).toBe(true);
    expect(hasCondition({ from: 0 })).toBe(true);
  });

  test("without a status is about dead letters and given-up afters, in both lists alike", () => {
    expect(listsOf({ type: "a", idPrefix: "e", toMs: 9 })).toEqual([
      { type: "a", prefix: "e", to: 9, status: "failed" },
      { type: "a", prefix: "e", to: 9, after: "failed" },
    ]);
    expect(listsOf({ status: "skipped" })).toEqual([{ status: "skipped" }]);
    expect(listsOf({ after: "failed" })).toEqual([{ after: "failed" }]);
  });
});

describe("kinds", () => {
  test("are of the same source, type and error, the largest first", () => {
    const other = { ...event, fingerprint: "ffffffffffff", error: "deadlock", reason: "permanent" };
    expect(kindsOf([other, event, { ...event, id: "evt_2", error: "no user 18" }])).toEqual([
      expect.objectContaining({ fingerprint: event.fingerprint, title: "no user <n>", count: 2, permanent: 0, exampleId: "evt_1" }),
      expect.objectContaining({ title: "deadlock", count: 1, permanent: 1 }),
    ]);
  });

  test("of skipped events are those that nothing was there to handle", () => {
    const skipped = { ...event, status: "skipped", fingerprint: null, error: null } as const;
    expect(
      kindsOf([
        { ...skipped, reason: "no_handler" },
        { ...skipped, reason: "not one of ours" },
      ]),
    ).toEqual([expect.objectContaining({ title: "no_handler", count: 1, fingerprint: null })]);
  });
});

describe("a plan", () => {
  const plan = { matched: 42, permanent: 7, withoutBytes: 2, willReplay: 30, seconds: 3 };

  test("accounts for every event that matches", () => {
    const text = planText(plan, { ...orderOf({}), rowLimit: 30 }, { kinds: kindsOf([event]), isAll: true });
    for (const words of ["42 events match", "30  to replay, 10 a second: 3 s", "7  left out", "2  left out", "3  left for another time"])
      expect(text).toContain(words);
    expect(text).toContain(event.fingerprint);
  });

  test("says when its kinds are of the newest only", () => {
    const kinds = kindsOf([event]);
    expect(planText(plan, orderOf({}), { kinds, isAll: false })).toContain("The newest of them");
    expect(planText(plan, orderOf({}), { kinds, isAll: true })).not.toContain("The newest of them");
  });

  test.each([...HOSTILE, "\u001b[2J\u001b[31mred", "a\rb\nc\u0000d\u009be"])("keeps hostile text text: %j", (text) => {
    const hostile = { ...event, id: text, type: text, source: text, reason: text, error: null };
    const lines = planText(plan, orderOf({}), { kinds: kindsOf([hostile]), isAll: true }).split("\n");
    // eslint-disable-next-line no-control-regex -- these are what must not be there
    for (const line of lines) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(lines.at(-1)?.length).toBeLessThan(1_000);
  });
});

describe("the end", () => {
  test.each([
    ["all completed", run, 0],
    ["some failed again", { ...run, outcomes: { ...outcomes, failed: 1 } }, 3],
    ["some are still at work", { ...run, outcomes: { ...outcomes, pending: 1 } }, 0],
    ["cancelled", { ...run, status: "cancelled" }, 1],
    ["not seen to its end", { ...run, status: "running" }, 1],
  ] as const)("is told by the exit code: %s", (_how, ended, code) => {
    expect(exitCodeOf(ended)).toBe(code);
  });

  test("names what failed again, and that others were faster", () => {
    const text = endText({ ...run, replayed: 2, outcomes: { ...outcomes, completed: 1, failed: 1 } });
    for (const words of ["2 of 3 events", "failed again   1", "somebody else"]) expect(text).toContain(words);
    expect(endText(run)).not.toContain("failed again");
  });
});

describe("watching", () => {
  const begun: RunView = { ...run, status: "running", replayed: 0, outcomes: { ...outcomes, completed: 0 } };
  const silent = new Error("no answer");

  function watching(answers: readonly (RunView | Error)[], more: Partial<Watch> = {}) {
    const left = [...answers];
    const shown: RunView[] = [];
    const missed: string[] = [];
    const watch: Watch = {
      read: async () => {
        const next = left.shift();
        if (next === undefined) throw new Error("asked more often than it should");
        if (next instanceof Error) throw next;
        return next;
      },
      show: (one) => shown.push(one),
      missed: (why) => missed.push(why),
      everyMs: 0,
      waitMs: 60_000,
      missesLimit: 3,
      interrupted: new AbortController().signal,
      ...more,
    };
    return { ended: follow(begun, watch), shown, missed, left };
  }

  test("goes on after the last was opened, until all are settled", async () => {
    const atWork = { ...run, outcomes: { ...outcomes, pending: 2, completed: 1 } };
    const { ended, shown, left } = watching([atWork, atWork, run]);
    expect(await ended).toBe(run);
    expect(left).toEqual([]);
    expect(shown).toEqual([begun, atWork, atWork, run]);
  });

  test("waits no longer for them than was asked", async () => {
    const atWork = { ...run, outcomes: { ...outcomes, pending: 2 } };
    expect(await watching([atWork], { waitMs: 0 }).ended).toBe(atWork);
  });

  test("outlasts a silence, and says it once", async () => {
    const { ended, missed } = watching([silent, silent, begun, silent, run]);
    expect(await ended).toBe(run);
    expect(missed).toEqual(["no answer", "no answer"]);
  });

  test("gives up at a long silence, and says that the replay goes on", async () => {
    await expect(watching([silent, silent, silent]).ended).rejects.toThrow("goes on there");
  });

  test("ends at once at Ctrl-C", async () => {
    const interrupt = new AbortController();
    const { ended } = watching([], { everyMs: 3_600_000, interrupted: interrupt.signal });
    interrupt.abort();
    expect(await ended).toBe(begun);
  });
});
