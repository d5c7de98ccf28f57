/** A consumer with one event, as src/queue runs it: record, perhaps start or fetch, lock, handle, settle, commit; then its after, its claim, its message. */
import { LARGE_BODY_BYTES } from "../../src/core/limits.ts";
import { beginAfterMoves, endAfterMoves, runAfterMoves } from "./consumer-after.ts";
import { adoptMoves, endWork, releaseMoves, tellMoves } from "./consumer-end.ts";
import { countMoves, lockMoves, runMoves } from "./consumer-run.ts";
import type { Here } from "./here.ts";
import { resetObject } from "./object.ts";
import { type Turn, turnOf } from "./turn.ts";
import { bytesNamed } from "./world.ts";

export function consumerMoves(here: Here): void {
  for (const index of here.world.consumers.keys()) movesOf(here, index);
}

/** Of one consumer alone. */
export function movesOf(here: Here, index: number): void {
  const turn = turnOf(here, index);
  if (turn === null) return;
  const { state } = turn;
  switch (state.phase) {
    case "received":
      turn.crash(["consume.received"]);
      return record(turn);
    case "to_start":
      turn.crash(["consume.recorded"]);
      return start(turn);
    case "to_fetch":
      turn.crash([state.isAlone ? "consume.started" : "consume.recorded"]);
      return fetchBody(turn);
    case "body_loaded":
      turn.crash(["consume.body_loaded"]);
      return storeBody(turn);
    case "to_lock":
      turn.crash([state.loaded !== null ? "consume.body_stored" : state.isAlone ? "consume.started" : "consume.recorded"]);
      return lockMoves(turn);
    case "running":
      return runMoves(turn);
    case "to_count":
      return countMoves(turn);
    case "to_after":
      return beginAfterMoves(turn);
    case "after_begun":
      return runAfterMoves(turn);
    case "after_ran":
      return endAfterMoves(turn);
    case "to_release":
      return releaseMoves(turn);
    case "to_tell":
      return tellMoves(turn);
    case "to_adopt":
      return adoptMoves(turn);
    case "told":
      return turn.step("ends", (w) => endWork(turn, w));
  }
}

function record(turn: Turn): void {
  const { rules } = turn.here;
  turn.statement("records", (w, before) => {
    const { row, seen } = rules.ledger.record(before, turn.state.message);
    w.row = row;
    const starts = seen.status === "pending" && seen.unfinishedStarts === 0 && !rules.isEarly(seen) ? 1 : null;
    const next = { seen: { opening: seen.opening, attempts: seen.attempts }, starts };
    const settled = seen.status === "pending" ? null : { status: seen.status, opening: seen.opening, stored: seen.bodyBytes !== null };
    const plan = rules.planRow(seen, LARGE_BODY_BYTES);
    return (w) => {
      switch (plan.kind) {
        case "settled":
          return turn.conclude(w, { ...next, settled });
        case "after":
          return turn.go(w, { ...next, settled, owesAfter: true, phase: "to_after" });
        case "early":
          return turn.conclude(w, { ...next, again: "later" });
        case "suspect":
          return turn.go(w, { ...next, phase: "to_start" });
        case "fetch":
          return turn.go(w, { ...next, phase: "to_fetch" });
        case "large":
        case "run":
          return turn.go(w, { ...next, phase: "to_lock" });
      }
    };
  });
}

/** Its start is committed before it runs alone. */
function start(turn: Turn): void {
  const { rules } = turn.here;
  turn.statement("starts alone", (w, before) => {
    const row = before === null ? null : rules.ledger.start(before);
    if (row === null) return (w) => turn.conclude(w, { again: "later" });
    w.row = row;
    const { starts, opening, attempts, body } = row;
    const next = { starts, seen: { opening, attempts }, isAlone: true };
    return (w) => {
      if (rules.isKiller((turn.here.scenario.startsBefore ?? 0) + starts - 1))
        turn.go(w, { ...next, phase: "to_count", failure: { class: "killed", unlessBody: false } });
      else turn.go(w, { ...next, phase: body === null ? "to_fetch" : "to_lock" });
    };
  });
}

function fetchBody(turn: Turn): void {
  const { here } = turn;
  const { diskBytes, memory } = here.world;
  if (diskBytes !== null && memory?.facts?.digest === diskBytes)
    turn.step(`loads ${diskBytes} from the claim`, (w) => turn.go(w, { phase: "body_loaded", loaded: bytesNamed(diskBytes) }));
  else
    turn.statement("finds no bytes in the claim, asks the row", (_, row) => (w) => {
      if (row !== null && row.body !== null) turn.go(w, { phase: "to_lock" });
      else turn.go(w, { phase: "to_count", failure: { class: "permanent", unlessBody: true } });
    });
  here.fault("deaf", `${turn.who}: the claim is unreachable for the bytes`, (w) => turn.outage(w));
  here.crash(["claim.loading"], (w) => {
    resetObject(w);
    turn.outage(w);
  });
}

function storeBody(turn: Turn): void {
  const { loaded } = turn.state;
  turn.statement("stores the body", (w, row) => {
    if (row !== null && loaded !== null) w.row = turn.here.rules.ledger.storeBody(row, loaded);
    return (w) => turn.go(w, { phase: "to_lock" });
  });
}
