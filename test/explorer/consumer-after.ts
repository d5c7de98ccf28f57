/** An event's `after`, owed from the commit on (src/queue/after.ts): counted, run, written down as done. */
import { AFTER_ATTEMPTS_LIMIT } from "../../src/core/limits.ts";
import { attemptDelayMs } from "../../src/core/retry.ts";
import { movesOf, type Turn } from "./consumer.ts";

export function afterMoves(turn: Turn): void {
  const { here, state } = turn;
  const { rules, scenario } = here;
  switch (state.phase) {
    case "to_after":
      turn.crash(["consume.committed"]);
      return turn.statement("begins its after", (w, before) => {
        const row = before === null ? null : rules.ledger.beginAfter(before);
        if (row === null) return (w) => turn.conclude(w, { owesAfter: false, again: "now" });
        w.row = row;
        const attempts = (scenario.afterAttemptsBefore ?? 0) + row.afterAttempts;
        return (w) => turn.go(w, { phase: "after_begun", isAlone: true, seen: { opening: row.opening, attempts } });
      });
    case "after_begun":
      turn.crash(["consume.after_begun"]);
      // Begun more often than it may fail: something in it ends the isolate, and it is not run again.
      if (state.seen.attempts > AFTER_ATTEMPTS_LIMIT) return giveUp(turn);
      for (const outcome of scenario.afters ?? []) {
        if (outcome === "throws") giveUp(turn);
        else
          here.through(
            `${turn.who}: its after runs`,
            "step",
            (w) => {
              w.afters = 1;
              turn.go(w, { phase: "after_ran" });
            },
            (there) => movesOf(there, turn.index),
          );
      }
      return undefined;
    case "after_ran":
      turn.crash(["consume.after_ran"]);
      return turn.statement("writes that its after is done", (w, row) => {
        if (row !== null) w.row = rules.ledger.endAfter(row);
        return (w) => turn.conclude(w, { owesAfter: false });
      });
    default:
      throw new Error(`no after in ${state.phase}`);
  }
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
