/** The event's object as src/claim/event-claim.ts runs it: one step an input, its writes in one turn, then at most one send under way. */
import type { Claim, ClaimInput, ClaimReply } from "../../src/core/claim.ts";
import { REFUSALS_BEFORE_BARE_KEY } from "../../src/core/limits.ts";
import type { Timings } from "../../src/core/timings.ts";
import { type Here, nothingMoves } from "./here.ts";
import { isSameClaim } from "./key.ts";
import type { Rules } from "./rules.ts";
import { BYTES, type Bytes, bytesNamed, put, type World } from "./world.ts";

const REARM_MS = 1_000;
/** What is counted for operators decides nothing in the ledger: left out, so that states differ less. Mismatches decide in the claim, which keeps them. */
const UNCOUNTED = { duplicates: 0, mismatches: 0 };

/** `#step` of the object. `agedMs`: how much later than now it happens. */
export function stepObject(w: World, input: ClaimInput, bytes: Bytes | null, rules: Rules, agedMs = 0): ClaimReply {
  const { timings } = rules;
  const claim = aged(w.memory, agedMs);
  const { next, effects, reply } = rules.step(claim, input, w.clock, timings);
  for (const effect of effects) {
    if (effect.kind === "save" && rules.shells.savesFirst) save(w, aged(next, 0), effect.bytes, bytes);
    if (effect.kind === "arm") w.alarmInMs = effect.atMs - w.clock;
    if (effect.kind === "forget") [w.disk, w.diskBytes, w.alarmInMs] = [null, null, null];
  }
  w.memory = next;
  for (const effect of effects) if (effect.kind === "send") relay(w, effect.bare, rules);
  const armsOrForgets = effects.some(({ kind }) => kind === "arm" || kind === "forget");
  if (rules.shells.rearms && !armsOrForgets && w.memory !== null) w.alarmInMs ??= REARM_MS;
  w.memory = plain(w.memory, w.clock, timings);
  w.disk = plain(aged(w.disk, input.kind === "alarm" && w.disk !== next ? agedMs : 0), w.clock, timings);
  return reply;
}

function save(w: World, next: Claim | null, change: "put" | "keep" | "drop", bytes: Bytes | null): void {
  w.disk = next;
  if (change === "put" && bytes !== null) w.diskBytes = bytes;
  if (change === "drop") w.diskBytes = null;
}

function relay(w: World, bare: boolean, rules: Rules): void {
  const { memory } = w;
  if (w.relay !== null || memory === null || memory.facts === null) return;
  const { facts, opening } = memory;
  const bytes = bare || w.diskBytes === null ? null : BYTES[w.diskBytes];
  w.relay = { at: "synced", message: rules.encodeMessage({ facts, opening, direct: false, ...UNCOUNTED, bytes }) };
}

/** The object is gone from memory: a deploy, an eviction, a death. */
export function resetObject(w: World): void {
  w.memory = w.disk;
  w.relay = null;
}

const aged = (claim: Claim | null, ms: number): Claim | null =>
  claim === null || ms === 0
    ? claim
    : {
        ...claim,
        sinceMs: claim.sinceMs - ms,
        sentMs: claim.sentMs === null ? null : claim.sentMs - ms,
      };

/** Times only as far as `step` asks for them, counts only as far as they decide: else no two states would ever be the same. */
function plain(claim: Claim | null, nowMs: number, timings: Timings): Claim | null {
  if (claim === null) return null;
  const limits = { claimed: timings.leaseMs, enqueued: timings.staleEnqueuedMs, completed: timings.completedKeptMs, failed: timings.failedKeptMs };
  const limitMs = limits[claim.status];
  const bucket = (ms: number): number => (nowMs - ms >= limitMs ? -limitMs : 0);
  return {
    ...claim,
    sinceMs: bucket(claim.sinceMs),
    sentMs: claim.sentMs === null ? null : bucket(claim.sentMs),
    refusals: Math.min(claim.refusals, REFUSALS_BEFORE_BARE_KEY),
    refusedSinceMs: claim.refusedSinceMs === null ? null : 0,
    watchdogs: Math.min(claim.watchdogs, 1),
    duplicates: 0,
  };
}

/** What the object does by itself: its relay, its alarm, its deaths. */
export function objectMoves(here: Here): void {
  const { world, rules } = here;
  if (world.relay !== null) relayMoves(here, world.relay);
  else if (!isSameClaim(world.memory, world.disk)) here.fault("die", "the idle object is evicted", resetObject);
  if (world.alarmInMs === null) return;
  const dueMs = world.alarmInMs;
  const fire = (w: World): void => {
    w.alarmInMs = null; // the platform's: it has fired
    stepObject(w, { kind: "alarm" }, null, rules, dueMs);
  };
  const alarm = `alarm of ${world.memory?.status ?? "nothing"}`;
  switch (world.memory?.status) {
    case "claimed":
    case undefined:
      here.step(alarm, fire);
      break;
    case "enqueued":
      if (dueMs <= rules.timings.leaseMs || nothingMoves(world)) here.step(alarm, fire);
      else here.fault("early", `${alarm}, early`, fire);
      break;
    case "completed":
    case "failed":
      here.fault("forget", alarm, fire);
      return;
  }
  // An alarm that dies before its step is fired again by the platform.
  here.crash(["claim.alarm"], resetObject);
  here.crash(["claim.alarmed"], (w) => {
    fire(w);
    resetObject(w);
  });
}

function relayMoves(here: Here, relay: NonNullable<World["relay"]>): void {
  const { message } = relay;
  const back = (kind: "sent" | "refused") => (w: World) => {
    w.relay = null;
    stepObject(w, { kind, opening: message.opening }, null, here.rules);
  };
  if (relay.at !== "synced") {
    here.step(`relay: hears ${relay.at}`, back(relay.at === "sent" ? "sent" : "refused"));
    if (relay.at === "sent") here.crash(["claim.sent"], resetObject);
    return;
  }
  const sent = (w: World): void => {
    w.queue = put(w.queue, { message, retries: 0, waits: false });
    w.relay = { message, at: "sent" };
  };
  here.step(`relay: the queue takes ${bytesNamed(message.facts.digest)}${message.bytes === null ? " without bytes" : ""}`, sent);
  here.fault("refuse", "relay: the queue refuses", (w) => {
    w.relay = { message, at: "refused" };
  });
  here.fault("refuse", "relay: the queue takes it and is not heard", (w) => {
    sent(w);
    w.relay = { message, at: "refused" };
  });
  here.crash(["claim.synced"], resetObject);
}
