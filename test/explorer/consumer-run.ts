/** The transaction: lock, handler, settle, COMMIT; and what a failure of it comes to (src/queue/alone.ts). */
import { HandlerTimeout, PermanentError } from "../../src/core/errors.ts";
import type { Phase } from "../../src/store/classify.ts";

import { die } from "./consumer-state.ts";
import type { Turn as HandlerTurn } from "./scenarios.ts";
import { type Turn, turnOf } from "./turn.ts";
import { bytesIn, type Row, type World } from "./world.ts";

const CONNECTION_LOST = Object.assign(new Error("connection lost"), { code: "CONNECTION_LOST" });
const ERRORS: Readonly<Record<Exclude<HandlerTurn, "ok" | "skip" | "kills">, Error>> = {
  throws: new Error("no such order"),
  permanent: new PermanentError("never"),
  hangs: new HandlerTimeout(20_000),
};

export function runMoves(turn: Turn): void {
  const { here, index } = turn;
  turn.crash(["consume.locked", "consume.handled", "consume.settled"]);
  for (const kind of here.scenario.turns) {
    if (kind === "kills") turn.step("its handler ends the isolate", (w) => die(w, index));
    else if (kind === "ok" || kind === "skip") commitMoves(turn, kind);
    else turn.step(`its handler ${kind === "permanent" ? "fails for good" : kind}`, (w) => failed(turn, w, ERRORS[kind], "handler"));
  }
  here.fault("pg", `${turn.who}: the connection goes in the handler`, (w) => failed(turn, w, CONNECTION_LOST, "handler", true));
}

export function lockMoves(turn: Turn): void {
  const { here, state, index } = turn;
  const { shells, isEarly } = here.rules;
  here.fault("pg", `${turn.who}: Postgres is gone at the lock`, (w) => turn.outage(w));
  if (here.world.lockedBy !== null && shells.locks) return;
  const { row } = here.world;
  if (row === null) return turn.step("finds no row", (w) => turn.conclude(w, { again: "now" }));
  if (row.status !== "pending") {
    const settled = { status: row.status, opening: row.opening, stored: row.body !== null };
    return turn.step("finds its row settled", (w) => {
      if (row.after === "owed") turn.go(w, { settled, owesAfter: true, starts: null, phase: "to_after" });
      else turn.conclude(w, { settled, starts: null });
    });
  }
  const { body } = row;
  if (body === null || isEarly(row)) return turn.step("may not run yet", (w) => turn.conclude(w, { again: body === null ? "now" : "later" }));
  const locked = (w: World): void => {
    if (shells.locks) w.lockedBy = index;
    w.owed = false;
    const given = shells.runsRowsBytes ? body : (bytesIn(state.message) ?? body);
    if (given !== body) w.wrongBytes = true;
    turn.go(w, { phase: "running", loaded: null, seen: { opening: row.opening, attempts: row.attempts } });
  };
  // Under the lock nobody else reads or writes the row until it ends: it might as well be one moment. Without one it is not.
  if (shells.locks)
    here.through(`${turn.who} locks the row`, "step", locked, (there) => {
      const locking = turnOf(there, index);
      if (locking !== null) runMoves(locking);
    });
  else turn.step("reads the row", locked);
}

function commitMoves(turn: Turn, kind: "ok" | "skip"): void {
  const { here, state } = turn;
  const { ledger, shells } = here.rules;
  const status = kind === "ok" ? "completed" : "skipped";
  const after = kind === "ok" && here.scenario.afters !== undefined ? "owed" : "none";
  /** null: the write found another row than it had locked, and the transaction with its effect is gone. */
  const commit = (w: World): Row | null => {
    const row = w.row === null ? null : ledger.settle(w.row, state.seen.opening, status, after);
    if (w.lockedBy === turn.index) w.lockedBy = null;
    if (row === null) return null;
    w.row = shells.afterUntilDone ? row : { ...row, after: "none" };
    if (kind === "ok") w.effects += 1;
    w.owed = false;
    return row;
  };
  turn.step(kind === "ok" ? "its effect commits" : "its handler skips, which commits", (w) => {
    const row = commit(w);
    if (row === null) return failed(turn, w, new Error("settled 0 of 1 locked rows"), "settle");
    const settled = { status, opening: state.seen.opening, stored: true } as const;
    const next = { settled, starts: null, isCommitted: true, isAlone: false };
    return row.after === "owed" ? turn.go(w, { ...next, owesAfter: true, phase: "to_after" }) : turn.conclude(w, next);
  });
  here.fault("pg", `${turn.who}: the connection goes before COMMIT`, (w) => failed(turn, w, CONNECTION_LOST, "commit", true));
  here.fault("pg", `${turn.who}: its COMMIT is done, which is not heard`, (w) => {
    commit(w);
    failed(turn, w, CONNECTION_LOST, "commit", true);
  });
}

/** `#failed` in alone.ts: an outage gives back, anything else is counted. */
function failed(turn: Turn, w: World, error: Error, phase: Phase, isLost = false): void {
  const { rules } = turn.here;
  if (w.lockedBy === turn.index) w.lockedBy = null;
  const failure = rules.classify(error, { phase, handlerElapsedMs: 0, openedAgoMs: 0, timings: rules.timings });
  if (failure.class === "transient") turn.outage(w, { isSuspect: phase === "handler" && isLost });
  else turn.go(w, { phase: "to_count", failure: { class: failure.class, unlessBody: false } });
}

export function countMoves(turn: Turn): void {
  const { here, state } = turn;
  const { rules, scenario } = here;
  const { failure, seen } = state;
  if (failure === null) throw new Error("nothing to count");
  turn.crash(["consume.handled"]);
  const verdict = rules.judge({ class: failure.class }, (scenario.attemptsBefore ?? 0) + seen.attempts, rules.timings);
  if (verdict.kind === "give_back") return turn.step("gives back what is nobody's fault", (w) => turn.outage(w));
  return turn.statement(`counts a failure (${failure.class})`, (w, before) => {
    const { dead, delayMs } = verdict;
    const row = before === null ? null : rules.ledger.fail(before, { opening: seen.opening, dead, delayMs, unlessBody: failure.unlessBody });
    if (row === null) return (w) => turn.conclude(w, { starts: null, again: "now" });
    w.row = row;
    w.owed = false;
    const settled = { status: "failed", opening: seen.opening, stored: row.body !== null } as const;
    return (w) => turn.conclude(w, row.status === "failed" ? { settled, starts: null, isCommitted: true } : { starts: null, again: "later" });
  });
}
