/** Pure. The key of a world: equal for worlds that nothing can tell apart. Openings by their order alone, since every stamp is greater than all before it. */
import type { Claim } from "../../src/core/claim.ts";
import { type ConsumerState, type Entry, entryText, messageText, type Stamp, type World } from "./world.ts";

export const claimText = (claim: Claim | null, stamp: Stamp): string =>
  claim === null
    ? ""
    : [
        claim.status,
        claim.facts?.digest ?? "",
        flag(claim.hasBytes),
        stamp(claim.opening),
        claim.sinceMs,
        claim.sentMs ?? "",
        claim.refusals,
        claim.refusedSinceMs ?? "",
        claim.watchdogs,
        flag(claim.stored),
        claim.duplicates,
        claim.mismatches,
      ].join();

const flag = (is: boolean): string => (is ? "1" : "");

function consumerText(one: ConsumerState | null, stamp: Stamp): string {
  if (one === null) return "";
  const { settled, failure } = one;
  return [
    one.phase,
    one.entries.map((entry) => entryText(entry, stamp)).join("+"),
    stamp(one.seen.opening),
    one.seen.attempts,
    one.loaded ?? "",
    one.starts ?? "",
    flag(one.isAlone) + flag(one.isSuspect) + flag(one.owesAfter) + flag(one.isCommitted),
    failure === null ? "" : failure.class + flag(failure.unlessBody),
    settled === null ? "" : settled.status + stamp(settled.opening) + flag(settled.stored),
    one.again ?? "",
  ].join();
}

function text(w: World, stamp: Stamp): string {
  const { row, relay, deadLetter } = w;
  return [
    w.deliveries.map(({ phase, atMs, isOpen }) => `${phase}${stamp(atMs)}${flag(isOpen)}`).join("+"),
    claimText(w.memory, stamp),
    claimText(w.disk, stamp),
    w.diskBytes ?? "",
    w.alarmInMs ?? "",
    relay === null ? "" : relay.at + messageText(relay.message, stamp),
    row === null
      ? ""
      : [
          row.status,
          row.after,
          stamp(row.opening),
          row.attempts,
          row.afterAttempts,
          row.starts,
          flag(row.leased),
          row.body,
          row.digest,
          row.dueInMs,
        ].join(),
    w.lockedBy ?? "",
    w.queue.map((entry) => entryText(entry, stamp)).join("+"),
    w.deadLetters.map((entry) => entryText(entry, stamp)).join("+"),
    w.consumers.map((one) => consumerText(one, stamp)).join("+"),
    deadLetter === null
      ? ""
      : [
          deadLetter.phase,
          entryText(deadLetter.entry, stamp),
          deadLetter.settled === null ? "" : `${deadLetter.settled.status}${stamp(deadLetter.settled.opening)}${flag(deadLetter.settled.stored)}`,
        ].join(),
    w.replaying === null ? "" : "r",
    w.effects,
    w.afters,
    flag(w.acked) + (w.owed ? "2" : "") + (w.turnedAway ? "3" : "") + (w.wrongBytes ? "4" : ""),
    w.budgets.join(""),
  ].join("|");
}

/** Every opening that stands somewhere in the world, in order. */
function stampsOf(w: World): readonly number[] {
  const stamps: number[] = [0];
  const note = (opening: number | undefined): void => {
    if (opening !== undefined && !stamps.includes(opening)) stamps.push(opening);
  };
  const noteAll = (entries: readonly Entry[]): void => {
    for (const { message } of entries) note(message.opening);
  };
  for (const { atMs } of w.deliveries) note(atMs);
  note(w.memory?.opening);
  note(w.disk?.opening);
  note(w.relay?.message.opening);
  note(w.row?.opening);
  noteAll(w.queue);
  noteAll(w.deadLetters);
  for (const one of w.consumers) {
    if (one === null) continue;
    noteAll(one.entries);
    note(one.seen.opening);
    note(one.settled?.opening);
  }
  note(w.deadLetter?.entry.message.opening);
  note(w.deadLetter?.settled?.opening);
  return stamps.toSorted((left, right) => left - right);
}

export function keyOf(w: World): string {
  const stamps = stampsOf(w);
  return text(w, (opening) => stamps.indexOf(opening));
}
