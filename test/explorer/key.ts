/** Pure. The key of a world: equal for worlds that nothing can tell apart. Openings by their order alone, since every stamp is greater than all before it. */
import type { Claim } from "../../src/core/claim.ts";
import { type ConsumerState, type Entry, entryText, messageText, type Row, type Stamp, type World } from "./world.ts";

const flag = (is: boolean): string => (is ? "1" : "");

/** Everything of a claim but its opening. */
const claimPart = (claim: Claim): string =>
  [
    claim.status,
    claim.facts?.digest ?? "",
    flag(claim.hasBytes),
    claim.sinceMs,
    claim.sentMs ?? "",
    claim.refusals,
    claim.refusedSinceMs ?? "",
    claim.watchdogs,
    flag(claim.stored),
    claim.duplicates,
    claim.mismatches,
  ].join();

const rowPart = (row: Row): string =>
  [row.status, row.after, row.attempts, row.afterAttempts, row.starts, flag(row.leased), row.body, row.digest, row.dueInMs].join();

/** Everything of a consumer but openings. */
const consumerPart = ({ phase, seen, loaded, starts, isAlone, isSuspect, owesAfter, isCommitted, failure, settled, again }: ConsumerState): string =>
  [
    phase,
    seen.attempts,
    loaded ?? "",
    starts ?? "",
    flag(isAlone),
    flag(isSuspect),
    flag(owesAfter),
    flag(isCommitted),
    failure === null ? "" : failure.class + flag(failure.unlessBody),
    settled === null ? "" : settled.status + flag(settled.stored),
    again ?? "",
  ].join();

const namesByPart = new WeakMap<object, number>();
const namesByText = new Map<string, number>();

/** Equal parts have one number, whoever made them; states share their parts, so most are known. */
function nameOf<T extends object>(part: T, write: (part: T) => string): number {
  const known = namesByPart.get(part);
  if (known !== undefined) return known;
  const written = write(part);
  const name = namesByText.get(written) ?? namesByText.size;
  namesByText.set(written, name);
  namesByPart.set(part, name);
  return name;
}

const claimText = (claim: Claim | null, stamp: Stamp): string => (claim === null ? "" : `${nameOf(claim, claimPart)}@${stamp(claim.opening)}`);

export const isSameClaim = (one: Claim | null, other: Claim | null): boolean => one === other || claimText(one, Number) === claimText(other, Number);

const entriesText = (entries: readonly Entry[], stamp: Stamp): string => {
  let all = "";
  for (const entry of entries) all += `${entryText(entry, stamp)}+`;
  return all;
};

const consumerText = (one: ConsumerState, stamp: Stamp): string =>
  `${nameOf(one, consumerPart)}@${stamp(one.seen.opening)}@${one.settled === null ? "" : stamp(one.settled.opening)}@${entriesText(one.entries, stamp)}`;

function text(w: World, stamp: Stamp): string {
  const { row, relay, deadLetter } = w;
  const settled = deadLetter?.settled ?? null;
  let all = "";
  for (const { phase, atMs, isOpen } of w.deliveries) all += `${phase[0]}${phase[3]}${stamp(atMs)}${flag(isOpen)}`;
  all += `|${claimText(w.memory, stamp)}|${claimText(w.disk, stamp)}|${w.diskBytes ?? ""}${w.alarmInMs ?? ""}`;
  all += `|${relay === null ? "" : relay.at + messageText(relay.message, stamp)}`;
  all += `|${row === null ? "" : `${nameOf(row, rowPart)}@${stamp(row.opening)}`}|${w.lockedBy ?? ""}`;
  all += `|${entriesText(w.queue, stamp)}|${entriesText(w.deadLetters, stamp)}`;
  for (const one of w.consumers) all += `|${one === null ? "" : consumerText(one, stamp)}`;
  if (deadLetter !== null) {
    all += `|${deadLetter.phase}${entryText(deadLetter.entry, stamp)}`;
    if (settled !== null) all += `${settled.status}${stamp(settled.opening)}${flag(settled.stored)}`;
  }
  all += `|${w.replaying === null ? "" : "r"}${w.effects}${w.afters}`;
  all += `${flag(w.acked)}${w.owed ? "2" : ""}${w.turnedAway ? "3" : ""}${w.wrongBytes ? "4" : ""}|`;
  for (const budget of w.budgets) all += budget;
  return all;
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
