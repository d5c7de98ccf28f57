/** DESIGN 3.8: real durations in the order that the design needs, and fast ones that keep that order. */
import { describe, expect, it } from "vitest";
import { TIMING_TABLE, type Timings, timings } from "../../../src/core/timings.ts";

type Name = keyof typeof TIMING_TABLE;
const MINIMUM_FAST_MS = 1_000;

/** Left is shorter than right, and why. */
const ORDER: readonly (readonly [Name, Name, string])[] = [
  ["handlerMs", "statementTimeoutMs", "a handler's deadline is ours, not the database's"],
  ["statementTimeoutMs", "lockTimeoutMs", "an abandoned handler's last statement is over before its failure's write stops waiting for the row"],
  ["lockTimeoutMs", "idleInTransactionMs", "whoever waits for a lock is not idle"],
  ["idleInTransactionMs", "silenceMs", "the server's word comes before our own guess"],
  ["handlerMs", "idleInTransactionMs", "our deadline, not the server's"],
  ["connectTimeoutMs", "silenceMs", "a connection that is refused says so"],
  ["operatorReadMs", "silenceMs", "a question that is too wide hears so from the server"],
  ["handlerMs", "suspectLeaseMs", "copies of a suspect do not count each other"],
  ["handlerMs", "transactionBudgetMs", "one handler always fits"],
  ["transactionBudgetMs", "invocationBudgetMs", "a batch may take several transactions"],
  ["leaseMs", "watchdogMs", "the queue is trusted for longer than the relay"],
  ["leaseMs", "staleEnqueuedMs", "a provider that asks again is not an alarm"],
  ["staleEnqueuedMs", "watchdogMs", "a provider that asks again comes before the watchdog"],
  ["watchdogMs", "watchdogCapMs", "it grows"],
  ["watchdogCapMs", "completedKeptMs", "nobody forgets what is still watched"],
  ["completedKeptMs", "failedKeptMs", "dead letters are looked at later"],
  ["resendMs", "resendCapMs", "it grows"],
  ["resendCapMs", "resendSlowAfterMs", "the cap is reached"],
  ["resendCapMs", "resendSlowMs", "slower after an hour"],
  ["claimRpcMs", "claimBudgetMs", "the budget of two tries leaves some for the second"],
  ["claimRpcMs", "leaseMs", "a claim answers before its alarm"],
  ["transientDelayMs", "transientDelayCapMs", "it grows"],
  ["sweepAgeMs", "sweepAgeCapMs", "it grows"],
  ["handlerMs", "handlerContentionMs", "contention outlives one run"],
];

describe.each(["real", "fast"] as const)("timings %s", (speed) => {
  const t = timings(speed);
  it.each(ORDER)("%s < %s: %s", (short, long) => expect(t[short]).toBeLessThan(t[long]));

  it("are whole milliseconds of at least a second", () => {
    for (const name of Object.keys(TIMING_TABLE) as Name[]) {
      expect(Number.isSafeInteger(t[name]), name).toBe(true);
      expect(t[name], name).toBeGreaterThanOrEqual(MINIMUM_FAST_MS);
    }
    for (const ms of t.attemptDelaysMs) expect(ms).toBeGreaterThanOrEqual(MINIMUM_FAST_MS);
  });
});

it("a suspect's lease is its deadline and 30 s", () => {
  const real = timings("real");
  expect(real.suspectLeaseMs).toBe(real.handlerMs + 30_000);
});

it("fast is never slower than real, and its dead letter comes within seconds", () => {
  const [real, fast]: readonly [Timings, Timings] = [timings("real"), timings("fast")];
  for (const name of Object.keys(TIMING_TABLE) as Name[]) expect(fast[name], name).toBeLessThanOrEqual(real[name]);
  expect(fast.attemptDelaysMs.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(20_000);
  expect(fast.attemptDelaysMs).toHaveLength(real.attemptDelaysMs.length);
});

it("every duration says why it is what it is", () => {
  for (const [name, { why }] of Object.entries(TIMING_TABLE)) expect(why.length, name).toBeGreaterThan(7);
});

/** The numbers that DESIGN states; a change here is a change of the design. */
it("real durations are those of the design", () => {
  const seconds = Object.fromEntries(Object.entries(timings("real")).map(([name, ms]) => [name, typeof ms === "number" ? ms / 1_000 : ms]));
  expect(seconds).toMatchObject({
    toleranceMs: 300,
    claimRpcMs: 2,
    claimBudgetMs: 2.5,
    relaySendMs: 10,
    leaseMs: 30,
    staleEnqueuedMs: 900,
    watchdogMs: 3_600,
    watchdogCapMs: 86_400,
    resendMs: 1,
    resendCapMs: 300,
    resendSlowAfterMs: 3_600,
    resendSlowMs: 3_600,
    brokenAlarmMs: 30,
    completedKeptMs: 604_800,
    failedKeptMs: 2_592_000,
    handlerMs: 20,
    transientDelayMs: 5,
    transientDelayCapMs: 900,
    handlerContentionMs: 86_400,
    deadLetterDelayMs: 900,
    sweepAgeMs: 3_600,
    sweepAgeCapMs: 43_200,
    ledgerBytesKeptMs: 2_592_000,
  });
});
