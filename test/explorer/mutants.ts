/** Rules broken on purpose, one each, with a world in which it shows: an explorer that finds nothing wrong with these could not find anything. */
import type { Claim, ClaimInput, ClaimStep } from "../../src/core/claim.ts";
import * as ledger from "./ledger.ts";
import { PRODUCTION, type Rules } from "./rules.ts";
import type { Scenario } from "./scenarios.ts";

export interface Mutant {
  readonly scenario: Scenario;
  /** How the names of the promises begin that may be found broken. */
  readonly breaks: readonly string[];
  readonly rules: Rules;
}

const withLedger = (change: Partial<Rules["ledger"]>): Rules => ({ ...PRODUCTION, ledger: { ...PRODUCTION.ledger, ...change } });
const withShells = (change: Partial<Rules["shells"]>): Rules => ({ ...PRODUCTION, shells: { ...PRODUCTION.shells, ...change } });
/** `step` with its input or its answer bent. */
const withStep = (
  bend: (claim: Claim | null, input: ClaimInput, step: (claim: Claim | null, input: ClaimInput) => ClaimStep) => ClaimStep,
): Rules => ({
  ...PRODUCTION,
  step: (claim, input, nowMs, timings) => bend(claim, input, (claim, input) => PRODUCTION.step(claim, input, nowMs, timings)),
});
const lacking = (result: ClaimStep, kind: ClaimStep["effects"][number]["kind"]): ClaimStep => ({
  ...result,
  effects: result.effects.filter((effect) => effect.kind !== kind),
});

const NEVER_REASSERTS: Rules["ledger"]["settle"] = (row, opening, status, after) =>
  ledger.settle({ ...row, status: "pending", opening }, opening, status, after);

const LARGE_KILLED: Scenario = { deliveries: "A", turns: ["ok"], isLarge: true, startsBefore: 2, die: 2, forget: 1 };

export const MUTANTS: Readonly<Record<string, Mutant>> = {
  "a failure is written over whatever the row is": {
    scenario: { deliveries: "A", turns: ["ok", "permanent"], consumers: 2, dup: 1 },
    breaks: ["final"],
    rules: withLedger({ fail: (row, failure) => ledger.fail({ ...row, status: "pending", opening: failure.opening }, failure) }),
  },
  "any message re-opens a dead letter": {
    scenario: { deliveries: "A", turns: ["permanent"], dup: 1 },
    breaks: ["asked"],
    rules: withLedger({
      record: (row, message) => ledger.record(row?.status === "failed" ? { ...row, opening: message.opening - 1 } : row, message),
    }),
  },
  "a completed row can be opened again": {
    scenario: { deliveries: "AA", turns: ["ok"], forget: 1 },
    breaks: ["final"],
    rules: withLedger({ record: (row, message) => ledger.record(row?.status === "completed" ? { ...row, status: "failed" } : row, message) }),
  },
  "a replay takes what the page showed, whatever became of it": {
    scenario: { deliveries: "A", turns: ["ok"], replay: 1 },
    breaks: ["final"],
    rules: withLedger({ replay: (row, nowMs) => ledger.replay({ ...row, status: "failed" }, nowMs) }),
  },
  "the last bytes win": {
    scenario: { deliveries: "AB", turns: ["ok"], deaf: 1 },
    breaks: ["first write"],
    rules: withLedger({ record: (row, message) => ledger.record(row === null ? null : { ...row, body: null }, message) }),
  },
  "no row is locked, and settling asserts nothing": {
    scenario: { deliveries: "A", turns: ["ok"], consumers: 2, dup: 1 },
    breaks: ["once"],
    rules: { ...withLedger({ settle: NEVER_REASSERTS }), shells: { ...PRODUCTION.shells, locks: false } },
  },
  "acknowledged before it is written": {
    scenario: { deliveries: "A", turns: ["ok"], die: 1 },
    breaks: ["stored", "not stuck"],
    rules: withShells({ savesFirst: false }),
  },
  "the alarm does not arm the next one": {
    scenario: { deliveries: "A", turns: ["ok"], refuse: 1 },
    breaks: ["way forward"],
    rules: {
      ...withStep((claim, input, step) => (input.kind === "alarm" ? lacking(step(claim, input), "arm") : step(claim, input))),
      shells: { ...PRODUCTION.shells, rearms: false },
    },
  },
  "the alarm sends nothing": {
    scenario: { deliveries: "A", turns: ["ok"], loss: 1 },
    breaks: ["not stuck"],
    rules: withStep((claim, input, step) => (input.kind === "alarm" ? lacking(step(claim, input), "send") : step(claim, input))),
  },
  "a late failure is told over a newer opening": {
    scenario: { deliveries: "AA", turns: ["permanent"], dup: 1, refuse: 1 },
    breaks: ["retried"],
    rules: withStep((claim, input, step) =>
      step(claim, input.kind === "failed" ? { ...input, opening: Math.max(input.opening, claim?.opening ?? 0) } : input),
    ),
  },
  "a failed claim drops bytes that the ledger does not have": {
    scenario: LARGE_KILLED,
    breaks: ["stored", "dead letter"],
    rules: withStep((claim, input, step) => step(claim, input.kind === "failed" ? { ...input, stored: true } : input)),
  },
  "a failed claim is forgotten with the only bytes": {
    scenario: LARGE_KILLED,
    breaks: ["stored", "dead letter"],
    rules: withStep((claim, input, step) => step(claim?.status === "failed" && input.kind === "alarm" ? { ...claim, stored: true } : claim, input)),
  },
  "a message that went around its claim is not handed to it": {
    scenario: { deliveries: "A", turns: ["ok"], deaf: 1, pg: 1, loss: 1 },
    breaks: ["stored", "not stuck"],
    rules: withShells({ adopts: false }),
  },
  "retries used up are taken for the event's fault": {
    scenario: { deliveries: "A", turns: ["ok"], pg: 2 },
    breaks: ["healthy"],
    rules: withShells({ sendsAgain: false }),
  },
  "a lost connection is counted": {
    scenario: { deliveries: "A", turns: ["ok"], pg: 1 },
    breaks: ["healthy"],
    rules: { ...PRODUCTION, classify: (error, at) => ({ ...PRODUCTION.classify(error, at), class: "permanent" }) },
  },
  "a claim is told only by who settled": {
    scenario: { deliveries: "A", turns: ["ok"], die: 1 },
    breaks: ["quiet"],
    rules: withShells({ tellsFound: false }),
  },
  "no sweep": {
    scenario: { deliveries: "A", turns: ["permanent"], replay: 1, die: 1 },
    breaks: ["not stuck", "retried"],
    rules: withShells({ sweeps: false }),
  },
  "the handler runs on the message's bytes": {
    scenario: { deliveries: "AB", turns: ["ok"], deaf: 1, consumers: 2 },
    breaks: ["bytes"],
    rules: withShells({ runsRowsBytes: false }),
  },
  "starts are not judged": {
    scenario: { deliveries: "A", turns: ["kills"] },
    breaks: ["not stuck"],
    rules: { ...PRODUCTION, isKiller: () => false, ledger: { ...PRODUCTION.ledger, start: cappedStart } },
  },
  "an after is tried once": {
    scenario: { deliveries: "A", turns: ["ok"], afters: ["ok"], die: 1 },
    breaks: ["after"],
    rules: withShells({ afterUntilDone: false }),
  },
  "a forged delivery passes": {
    scenario: { deliveries: "FA", turns: ["ok"] },
    breaks: ["forged"],
    rules: { ...PRODUCTION, verdicts: { A: true, B: true, F: true } },
  },
};

/** Else the starts of what is never judged would make ever new states. */
function cappedStart(row: Parameters<Rules["ledger"]["start"]>[0]): ReturnType<Rules["ledger"]["start"]> {
  const started = ledger.start(row);
  return started === null ? null : { ...started, starts: Math.min(started.starts, 5) };
}

/** Broken, and yet nothing breaks: another rule stands behind each. Kept for what they save, or for the day when the other one fails. */
export const SPARES: Readonly<Record<string, Pick<Mutant, "scenario" | "rules">>> = {
  "no row is locked: settling re-asserts what was seen": {
    scenario: { deliveries: "A", turns: ["ok"], consumers: 2, dup: 1 },
    rules: withShells({ locks: false }),
  },
  "settling asserts nothing: the row is locked": {
    scenario: { deliveries: "A", turns: ["ok"], consumers: 2, dup: 1 },
    rules: withLedger({ settle: NEVER_REASSERTS }),
  },
  "bytes_missing asserts nothing: the row was asked just before": {
    scenario: { deliveries: "A", turns: ["ok"], isLarge: true, consumers: 2, dup: 1 },
    rules: withLedger({ fail: (row, failure) => ledger.fail(row, { ...failure, unlessBody: false }) }),
  },
  "the alarm does not arm the next one: the object puts a lost alarm right": {
    scenario: { deliveries: "A", turns: ["ok"], refuse: 2 },
    rules: withStep((claim, input, step) => (input.kind === "alarm" ? lacking(step(claim, input), "arm") : step(claim, input))),
  },
  "a completed claim can be opened again: the row is final": {
    scenario: { deliveries: "AA", turns: ["ok"] },
    rules: withStep((claim, input, step) => step(claim?.status === "completed" && input.kind === "deliver" ? null : claim, input)),
  },
};
