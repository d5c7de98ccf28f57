/** An event's `after`, owed from the commit on (src/queue/after.ts): counted, run, written down as done. */
import { AFTER_ATTEMPTS_LIMIT } from "../../src/core/limits.ts";
import { attemptDelayMs } from "../../src/core/retry.ts";
import { type Turn, turnOf } from "./turn.ts";
import type { World } from "./world.ts";

export function beginAfterMoves(turn: Turn): void {
  const { rules, scenario } = turn.here;
  turn.crash(["consume.committed"]);
  turn.statement("begins its after", (w, before) => {
    const row = before === null ? null : rules.ledger.beginAfter(before);
    if (row === null) return (w) => turn.conclude(w, { owesAfter: false, again: "now" });
    w.row = row;
    const attempts = (scenario.afterAttemptsBefore ?? 0) + row.afterAttempts;
    return (w) => turn.go(w, { phase: "after_begun", isAlone: true, seen: { opening: row.opening, attempts } });
  });
}

export function runAfterMoves(turn: Turn): void {
  const { here, state, index, who } = turn;
  turn.crash(["consume.after_begun"]);
  // Begun more often than it may fail: something in it ends the isolate, and it is not run again.
  if (state.seen.attempts > AFTER_ATTEMPTS_LIMIT) return giveUp(turn);
  const ran = (w: World): void => {
    w.afters = 1;
    turn.go(w, { phase: "after_ran" });
  };
  for (const outcome of here.scenario.afters ?? []) {
    if (outcome === "throws") giveUp(turn);
    else
      here.through(`${who}: its after runs`, "step", ran, (there) => {
        const running = turnOf(there, index);
        if (running !== null) endAfterMoves(running);
      });
  }
}

export function endAfterMoves(turn: Turn): void {
  turn.crash(["consume.after_ran"]);
  turn.statement("writes that its after is done", (w, row) => {
    if (row !== null) w.row = turn.here.rules.ledger.endAfter(row);
    return (w) => turn.conclude(w, { owesAfter: false });
  });
}

function giveUp(turn: Turn): void {
  const { rules } = turn.here;
  const { attempts } = turn.state.seen;
  const failure = rules.classify(new Error("its after failed"), { phase: "after", handlerElapsedMs: 0, openedAgoMs: 0, timings: rules.timings });
  const dead = failure.class === "permanent" || attempts >= AFTER_ATTEMPTS_LIMIT;
  turn.statement("writes that its after failed", (w, row) => {
    if (row !== null) w.row = rules.ledger.failAfter(row, dead, dead ? 0 : attemptDelayMs(attempts, rules.timings));
    return (w) => turn.conclude(w, { owesAfter: false, again: dead ? null : "later" });
  });
}
