/** Pure. One event's world: deliveries, object, ledger row, queues, consumers. Parts are never changed, only replaced, so that states share them. */
import type { Claim } from "../../src/core/claim.ts";
import type { EventFacts } from "../../src/core/event.ts";
import type { EventMessage } from "../../src/core/message.ts";
import type { AfterStatus, EventStatus, FailureClass } from "../../src/core/settlement.ts";
import { ALL_BUDGETS, type Scenario } from "./scenarios.ts";

/** A, B: the provider's bytes, and other bytes under the same id. F: somebody else's, not signed. */
export type Bytes = "A" | "B";
export type Sent = Bytes | "F";

export interface DeliveryState {
  readonly phase: "to_come" | "verified" | "retrying" | "unclaimed" | "direct_row" | "over";
  /** When it was received; 0: not yet. */
  readonly atMs: number;
  /** Of `direct_row`: its row is open or done. */
  readonly isOpen: boolean;
}

/** A message where it waits. `waits`: it is delayed until the row's next attempt. */
export interface Entry {
  readonly message: EventMessage;
  readonly retries: number;
  readonly waits: boolean;
  /** A consumer has given it back, after it has handed it to its claim: one that died has done neither. */
  readonly wasGivenBack?: boolean;
}

export interface Row {
  readonly status: EventStatus;
  readonly after: AfterStatus;
  readonly opening: number;
  readonly attempts: number;
  readonly afterAttempts: number;
  readonly starts: number;
  /** `started_at` is younger than the lease. */
  readonly leased: boolean;
  readonly body: Bytes | null;
  readonly digest: Bytes;
  readonly dueInMs: number;
}

export interface Relay {
  readonly message: EventMessage;
  /** `sent`, `refused`: the queue has spoken, the object has not heard. */
  readonly at: "synced" | "sent" | "refused";
}

export type ConsumerPhase =
  | "received"
  | "to_start"
  | "to_fetch"
  | "body_loaded"
  | "to_lock"
  | "running"
  | "to_count"
  | "to_after"
  | "after_begun"
  | "after_ran"
  | "to_release"
  | "to_tell"
  | "to_adopt"
  | "told";

/** One invocation with one event: the `Work` of src/queue/work.ts, and where it stands. */
export interface ConsumerState {
  readonly phase: ConsumerPhase;
  readonly entries: readonly Entry[];
  readonly message: EventMessage;
  readonly seen: { readonly opening: number; readonly attempts: number };
  readonly loaded: Bytes | null;
  readonly starts: number | null;
  readonly isAlone: boolean;
  readonly isSuspect: boolean;
  readonly failure: { readonly class: FailureClass; readonly unlessBody: boolean } | null;
  readonly settled: { readonly status: Exclude<EventStatus, "pending">; readonly opening: number; readonly stored: boolean } | null;
  readonly again: "now" | "later" | null;
  readonly owesAfter: boolean;
  readonly isCommitted: boolean;
}

export interface DeadLetterState {
  readonly phase: "received" | "sent" | "to_tell";
  readonly entry: Entry;
  readonly settled: ConsumerState["settled"];
}

export interface World {
  /** Counts openings and receipts: what is stamped later is greater. */
  clock: number;
  deliveries: readonly DeliveryState[];
  memory: Claim | null;
  disk: Claim | null;
  diskBytes: Bytes | null;
  /** In how long the alarm is due; null: there is none. */
  alarmInMs: number | null;
  relay: Relay | null;
  row: Row | null;
  /** The consumer whose transaction has the row. */
  lockedBy: number | null;
  queue: readonly Entry[];
  deadLetters: readonly Entry[];
  consumers: readonly (ConsumerState | null)[];
  deadLetter: DeadLetterState | null;
  /** An operator's replay whose message is not sent. */
  replaying: number | null;
  effects: number;
  afters: number;
  acked: boolean;
  /** Somebody was told that this dead letter is tried again. */
  owed: boolean;
  /** Answered 503 although one dependency alone was down. */
  turnedAway: boolean;
  /** A handler was given other bytes than the row's. */
  wrongBytes: boolean;
  budgets: readonly number[];
}

export const BYTES: Readonly<Record<Bytes, Uint8Array>> = { A: Uint8Array.of(65), B: Uint8Array.of(66) };
const LARGE_LENGTH = 100_000;

const facts = (bytes: Bytes, bytesLength: number): EventFacts => ({
  source: "s",
  id: "e",
  type: "t",
  receivedAtMs: 0,
  occurredAtMs: null,
  digest: bytes,
  contentType: "",
  headers: {},
  bytesLength,
});
const SMALL: Readonly<Record<Bytes, EventFacts>> = { A: facts("A", 1), B: facts("B", 1) };
const LARGE: Readonly<Record<Bytes, EventFacts>> = { A: facts("A", LARGE_LENGTH), B: facts("B", LARGE_LENGTH) };

export const factsOf = (bytes: Bytes, scenario: Scenario): EventFacts => (scenario.isLarge === true ? LARGE : SMALL)[bytes];
/** Digests are the bytes' names here. */
export const bytesNamed = (digest: string): Bytes => (digest === "A" ? "A" : "B");
export const bytesIn = (message: EventMessage): Bytes | null => (message.bytes === null ? null : bytesNamed(message.facts.digest));

const TO_COME: DeliveryState = { phase: "to_come", atMs: 0, isOpen: false };

export function initialWorld(scenario: Scenario): World {
  return {
    clock: 0,
    deliveries: Array.from(scenario.deliveries, () => TO_COME),
    memory: null,
    disk: null,
    diskBytes: null,
    alarmInMs: null,
    relay: null,
    row: null,
    lockedBy: null,
    queue: [],
    deadLetters: [],
    consumers: Array.from({ length: scenario.consumers ?? 1 }, () => null),
    deadLetter: null,
    replaying: null,
    effects: 0,
    afters: 0,
    acked: false,
    owed: false,
    turnedAway: false,
    wrongBytes: false,
    budgets: ALL_BUDGETS.map((budget) => scenario[budget] ?? 0),
  };
}

const ENTRY_ORDER = (left: Entry, right: Entry): number => (entryText(left, plainStamp) < entryText(right, plainStamp) ? -1 : 1);
const plainStamp = (opening: number): number => opening;

/** A set in order of names: copies are a fault of their own, and an order is what the explorer chooses. */
export function put(list: readonly Entry[], one: Entry): readonly Entry[] {
  const text = entryText(one, plainStamp);
  return list.some((other) => entryText(other, plainStamp) === text) ? list : [...list, one].toSorted(ENTRY_ORDER);
}

export const without = <T>(list: readonly T[], one: T): readonly T[] => list.filter((other) => other !== one);
export const replaced = <T>(list: readonly T[], at: number, one: T): readonly T[] => list.map((other, index) => (index === at ? one : other));

/** How an opening is written down. */
export type Stamp = (opening: number) => number;

export const messageText = ({ facts, opening, direct, bytes }: EventMessage, stamp: Stamp): string =>
  `${facts.digest}${direct ? "d" : ""}${bytes === null ? "" : "b"}${stamp(opening)}`;

export const entryText = ({ message, retries, waits, wasGivenBack }: Entry, stamp: Stamp): string =>
  `${messageText(message, stamp)}.${retries}${waits ? "w" : ""}${wasGivenBack === true ? "g" : ""}`;
