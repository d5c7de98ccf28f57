/** What must hold: in each state, on each move, and at the end of every fair continuation. */
import { ALL_BUDGETS, type Scenario } from "./scenarios.ts";
import { keyOf } from "./key.ts";
import { bytesIn, type World } from "./world.ts";

const isFinal = (w: World): boolean => w.row?.status === "completed" || w.row?.status === "skipped";
const isOver = (w: World): boolean => isFinal(w) || w.row?.status === "failed";

function hasBytes(w: World): boolean {
  if (w.diskBytes !== null || (w.row !== null && w.row.body !== null)) return true;
  const held = w.consumers.flatMap((one) => (one === null ? [] : one.entries));
  const all = [...w.queue, ...w.deadLetters, ...held, ...(w.deadLetter === null ? [] : [w.deadLetter.entry])];
  return all.some(({ message }) => bytesIn(message) !== null);
}

type InState = (w: World, scenario: Scenario) => boolean;

export const SAFETY: Readonly<Record<string, InState>> = {
  "once: at most one effect": (w) => w.effects <= 1,
  "stored: what was acknowledged and did not end well has its bytes somewhere": (w) => !w.acked || isFinal(w) || hasBytes(w),
  "dead letter: its bytes are in the ledger or in its claim": (w) => w.row?.status !== "failed" || w.row.body !== null || w.diskBytes !== null,
  "one down: one dependency alone turns nobody away": (w) => !w.turnedAway,
  "bytes: a handler is given the row's": (w) => !w.wrongBytes,
  // A replay goes around the claim: of an event that was skipped, the claim says that it is done until it is told how that ended ("quiet").
  "truth: a claim says completed only after its row": (w, { turns }) => w.memory?.status !== "completed" || isFinal(w) || turns.includes("skip"),
  // But for one that isolates keep dying with: nobody can tell whose fault that is.
  "healthy: an event whose handler works is no dead letter": (w, { turns, startsBefore }) =>
    w.row?.status !== "failed" || turns.some((turn) => turn !== "ok") || startsBefore !== undefined,
  "way forward: a claim on disk has an alarm": (w) => w.disk === null || w.alarmInMs !== null,
};

type OnMove = (before: World, after: World, scenario: Scenario) => boolean;

export const MOVES: Readonly<Record<string, OnMove>> = {
  "final: completed stays completed, and skipped until an operator's replay": (before, after) =>
    !isFinal(before) ||
    after.row?.status === before.row?.status ||
    (before.row?.status === "skipped" && after.budgets[ALL_BUDGETS.indexOf("replay")] !== before.budgets[ALL_BUDGETS.indexOf("replay")]),
  "first write wins: the row's bytes never change": (before, after) =>
    before.row === null || before.row.body === null || after.row?.body === before.row.body,
  "asked: only a newer opening opens a dead letter again": (before, after) =>
    before.row?.status !== "failed" || after.row?.status !== "pending" || after.row.opening > before.row.opening,
  "forward: an opening never goes back": (before, after) => (after.row?.opening ?? 0) >= (before.row?.opening ?? 0),
  "forged: a delivery that is not signed changes nothing": (before, after, { deliveries }) => {
    if (!deliveries.includes("F")) return true;
    const over = Array.from(deliveries).findIndex((sent, index) => sent === "F" && before.deliveries[index] !== after.deliveries[index]);
    return over === -1 || keyOf({ ...after, deliveries: before.deliveries }) === keyOf(before);
  },
};

/** From every state fair steps alone must get here: no fault, no delivery, no operator needed. */
export const ENDS: Readonly<Record<string, InState>> = {
  "not stuck: what was acknowledged ends completed, skipped or failed": (w) => !w.acked || isOver(w),
  "retried: a dead letter that was promised another try gets it": (w) => !w.owed,
  "after: what committed has its after run, or shown as failed": (w, { afters, turns }) =>
    afters === undefined || !turns.includes("ok") || w.row?.status !== "completed" || w.afters > 0 || w.row.after === "failed",
  "quiet: queues drain, and the claim says what the row says": (w) => {
    const isIdle =
      w.queue.length === 0 && w.deadLetters.length === 0 && w.deadLetter === null && w.relay === null && w.consumers.every((one) => one === null);
    if (!isIdle) return false;
    if (w.row === null) return w.disk === null;
    const said = w.memory?.status;
    // `failed` over a completed row, or nothing, is harmless: the next delivery repairs it.
    return isOver(w) && (said === undefined || said === "failed" || (said === "completed" && isFinal(w)));
  },
};
