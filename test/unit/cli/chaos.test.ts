/** A chaos run's schedule is its seed's, and its verdict finds what was planted: a run that cannot fail proves nothing. */
import { describe, expect, it } from "vitest";
import { progressLine, report, timeline } from "../../../cli/chaos/report.ts";
import { FAULT_KINDS, makeSchedule, mulberry32, type Behaviour, type PlannedEvent } from "../../../cli/chaos/schedule.ts";
import { requestOf, newSecrets, providers, bodyOf } from "../../../cli/chaos/sources.ts";
import { judge, keyOf, type Effect, type Evidence, type LedgerRow, type Verdict } from "../../../cli/chaos/verdict.ts";
import { readEvents } from "../../../cli/send/request.ts";

const TEN_MINUTES = { durationMs: 600_000, eventsPerSecond: 1 };

describe("the schedule", () => {
  it("is the same for the same seed, and another for another", () => {
    expect(makeSchedule({ seed: 7, ...TEN_MINUTES })).toEqual(makeSchedule({ seed: 7, ...TEN_MINUTES }));
    expect(makeSchedule({ seed: 8, ...TEN_MINUTES }).faults).not.toEqual(makeSchedule({ seed: 7, ...TEN_MINUTES }).faults);
  });

  it("strikes the same faults at the same times whatever the load", () => {
    const { faults } = makeSchedule({ seed: 7, ...TEN_MINUTES });
    expect(makeSchedule({ seed: 7, durationMs: 600_000, eventsPerSecond: 5 }).faults).toEqual(faults);
  });

  it("has over a hundred faults in ten minutes, and every kind in two", () => {
    for (let seed = 0; seed < 20; seed++) {
      const { faults } = makeSchedule({ seed, durationMs: TEN_MINUTES.durationMs, eventsPerSecond: 0.1 });
      expect(faults.length).toBeGreaterThan(110);
      const inTwo = new Set(faults.filter(({ atMs }) => atMs < 120_000).map(({ kind }) => kind));
      expect([...inTwo].toSorted()).toEqual([...FAULT_KINDS].toSorted());
    }
  });

  it("delivers every event at least once, in order of time, copies in between, never after the end", () => {
    const { events, deliveries } = makeSchedule({ seed: 3, ...TEN_MINUTES });
    expect(new Set(deliveries.map(({ event }) => event.id)).size).toBe(events.length);
    expect(deliveries.length).toBeGreaterThan(events.length * 1.5);
    const times = deliveries.map(({ atMs }) => atMs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.at(-1)).toBeLessThanOrEqual(TEN_MINUTES.durationMs);
  });

  it("has large bodies, over a message's and over a record's limit", () => {
    const sizes = makeSchedule({ seed: 3, ...TEN_MINUTES }).events.map(({ paddingBytes }) => paddingBytes);
    expect(sizes.some((size) => size > 64_000 && size < 1_000_000)).toBe(true);
    expect(sizes.some((size) => size > 1_900_000)).toBe(true);
  });

  it("knows its numbers: mulberry32 of seed 1", () => {
    const random = mulberry32(1);
    expect([random(), random(), random()]).toEqual([0.6270739405881613, 0.002735721180215478, 0.5274470399599522]);
  });
});

const event = (id: string, behaviour: Behaviour = "credit"): PlannedEvent => ({
  source: "generic",
  id,
  behaviour,
  userId: "u",
  amount: 5,
  paddingBytes: 0,
});

describe("the requests", () => {
  it("are read as the events that were planned, from every source", async () => {
    const vars = await newSecrets();
    for (const [source, provider] of Object.entries(providers)) {
      const planned = { ...event("one", "told"), source: source as PlannedEvent["source"] };
      const request = await requestOf(planned, "http://127.0.0.1:1", vars, Date.now());
      expect((await readEvents(provider, request)).events).toEqual([{ id: "one", type: "chaos.told" }]);
      expect(request.body).toEqual(bodyOf(planned));
    }
  });
});

/** One event that went well, and what is changed about it. */
interface Story {
  readonly behaviour?: Behaviour;
  readonly acked?: boolean;
  readonly isDirect?: boolean;
  readonly row?: Partial<LedgerRow> | null;
  readonly effect?: Partial<Effect> | null;
  readonly balances?: number;
  readonly heard?: boolean;
  readonly killed?: boolean;
}

function tell({ behaviour = "credit", acked = true, isDirect = false, row, effect, balances, heard = true, killed = false }: Story): Verdict {
  const planned = event("e1", behaviour);
  const key = keyOf(planned);
  const good: LedgerRow = {
    source: "generic",
    eventId: "e1",
    status: "completed",
    reason: null,
    after: behaviour === "told" ? "done" : "none",
    digest: "d",
    bodyDigest: "d",
    hasError: false,
    hasStack: false,
  };
  const effects = effect === null ? [] : [{ key, times: 1, amount: 5, ...effect }];
  const evidence: Evidence = {
    events: [planned],
    sent: 1,
    answers: acked ? [{ event: planned, atMs: 100, status: 202, isDirect }] : [{ event: planned, atMs: 100, status: 0, isDirect: false }],
    rows: row === null ? [] : [{ ...good, ...row }],
    effects,
    balances: balances ?? effects.reduce((sum, { amount }) => sum + amount, 0),
    heard: new Set(heard ? [key] : []),
    digests: new Map([[key, "d"]]),
    faults: killed ? [{ kind: "runtime killed", atMs: 150, overMs: 200 }] : [],
  };
  return judge(evidence);
}

const dead = { status: "failed", hasError: true, hasStack: true } as const;

describe("the verdict", () => {
  it.each<[string, Story]>([
    ["an event with its effect", {}],
    ["one that was never acknowledged and is not there", { acked: false, row: null, effect: null }],
    ["one that was never acknowledged and took effect all the same", { acked: false }],
    ["one whose bytes were dropped in time", { row: { bodyDigest: null } }],
    ["a skipped one", { behaviour: "skip", row: { status: "skipped" }, effect: null }],
    ["a dead letter with all its evidence", { behaviour: "poison", row: dead, effect: null }],
    ["an after that was heard", { behaviour: "told" }],
    ["a forgery that left nothing", { behaviour: "forged", acked: false, row: null, effect: null }],
  ])("passes %s", (_, story) => {
    expect(tell(story)).toMatchObject({ ok: true, findings: [], excused: 0 });
  });

  it.each<[string, keyof Verdict["counts"], Story]>([
    ["an acknowledged event without a row", "lost", { row: null, effect: null }],
    ["a completed event without its effect", "lost", { effect: null }],
    ["two effects of one event", "doubled", { effect: { times: 2, amount: 10 } }],
    ["two effects of an event that was never acknowledged", "doubled", { acked: false, effect: { times: 2, amount: 10 } }],
    ["an effect of a dead letter", "doubled", { behaviour: "poison", row: dead }],
    ["an effect of another amount", "doubled", { effect: { amount: 6 } }],
    ["a balance that got more than the effects", "doubled", { balances: 10 }],
    ["an acknowledged event that is still open", "stuck", { row: { status: "pending" }, effect: null }],
    ["an after that is still owed", "stuck", { behaviour: "told", row: { after: "owed" } }],
    ["an after that nobody heard", "wrong end", { behaviour: "told", heard: false }],
    ["a healthy event among the dead letters", "wrong end", { row: dead, effect: null }],
    ["a poisoned event that completed", "wrong end", { behaviour: "poison", effect: null }],
    ["a dead letter without its bytes", "no evidence", { behaviour: "poison", row: { ...dead, bodyDigest: null }, effect: null }],
    ["a dead letter without a stack", "no evidence", { behaviour: "poison", row: { ...dead, hasStack: false }, effect: null }],
    ["a row with another digest", "altered", { row: { digest: "x", bodyDigest: "x" } }],
    ["bytes that are not what the digest says", "altered", { row: { bodyDigest: "x" } }],
    ["an acknowledged forgery", "forged", { behaviour: "forged", row: null, effect: null }],
    ["a forgery with a row", "forged", { behaviour: "forged", acked: false, effect: null }],
  ])("finds %s", (_, wrong, story) => {
    const verdict = tell(story);
    expect(verdict.ok).toBe(false);
    expect(verdict.counts[wrong]).toBeGreaterThan(0);
  });

  it("excuses what the local queue alone had when it was killed, and nothing else", () => {
    const gone = { row: null, effect: null } as const;
    expect(tell({ ...gone, isDirect: true, killed: true })).toMatchObject({ ok: true, excused: 1 });
    expect(tell({ ...gone, isDirect: true }).counts.lost).toBe(1);
    expect(tell({ ...gone, killed: true }).counts.lost).toBe(1);
    expect(tell({ isDirect: true, killed: true, row: { status: "pending" }, effect: null }).counts.stuck).toBe(1);
  });
});

const RUN = { seed: 4, stack: "miniflare", startMs: 0, durationMs: 60_000, missed: 1, settledAfterMs: 9_400 };

describe("the report", () => {
  it("says passed or failed in its last line, and how to run it again", () => {
    const last = (verdict: Verdict): string => report(verdict, RUN, [], []).split("\n").at(-1) ?? "";
    expect(last(tell({}))).toMatch(/^PASSED/);
    expect(last(tell({ effect: null }))).toMatch(/^FAILED.*--seed 4/);
  });

  it("names what was found", () => {
    expect(report(tell({ effect: { times: 2, amount: 10 } }), RUN, [], [])).toContain("doubled: generic:e1: 2 effects");
  });

  it("counts the faults by kind, and those that hit nothing", () => {
    const text = report(tell({ killed: true }), RUN, [], []);
    expect(text).toContain("1 faults of 1 kinds (1 more found nothing to hit)");
    expect(text).toMatch(/^ +1 +runtime killed$/m);
  });

  it("draws both ends of the run, and what came after its end in the last slice", () => {
    const [acks = "", faults = ""] = timeline(RUN, [0, 0, 59_999, 70_000], [{ kind: "runtime killed", atMs: 0, overMs: 1 }]);
    expect(acks).toBe(`  acks    █${" ".repeat(58)}█`);
    expect(faults).toBe(`  faults  1${"·".repeat(59)}`);
  });

  it("shows what is not known while Postgres is away", () => {
    const now = { sent: 9, acked: 8, effects: null, open: null, faults: 2, last: "postgres killed" };
    expect(progressLine(65_000, 120_000, now)).toBe("1:05 of 2:00  sent 9, acknowledged 8, effects ?, open ?, faults 2 (postgres killed)");
  });
});
