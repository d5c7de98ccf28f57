/** Pure. Decides, never does: what an event's claim becomes and what its object has to do next (DESIGN 3.2). */
import { NOTED, nothing, relayAlarm, returned, send } from "./claim-relay.ts";
import type { EventFacts } from "./event.ts";
import { watchdogDelayMs } from "./retry.ts";
import type { Timings } from "./timings.ts";

export type ClaimStatus = "claimed" | "enqueued" | "completed" | "failed";

/** The record of one event's object. `null` stands for unclaimed. */
export interface Claim {
  /** Version of the record's shape. */
  readonly v: 1;
  readonly status: ClaimStatus;
  /** What the kept bytes are; null in an object that was only ever told an outcome. */
  readonly facts: EventFacts | null;
  readonly hasBytes: boolean;
  /** Stamp of the latest opening that this claim knows of; only grows. */
  readonly opening: number;
  /** When the status was entered. */
  readonly sinceMs: number;
  /** When the queue last took a message of this opening; null: not known here. */
  readonly sentMs: number | null;
  /** Refused sends in a row, and since when. */
  readonly refusals: number;
  readonly refusedSinceMs: number | null;
  readonly watchdogs: number;
  /** A failed event's bytes are known to be in the ledger. */
  readonly stored: boolean;
  /** At least: counted in memory, they ride on the next write. */
  readonly duplicates: number;
  readonly mismatches: number;
}

export type ClaimInput =
  /** A verified delivery; its bytes stay with the caller. `restoredAtMs`: the ledger went back to a backup then; what completed before may be gone from it. */
  | { readonly kind: "deliver"; readonly facts: EventFacts; readonly restoredAtMs?: number | null }
  /** A message that went around the claim, before Postgres makes it wait. */
  | { readonly kind: "adopt"; readonly facts: EventFacts; readonly opening: number; readonly hasBytes: boolean }
  | { readonly kind: "sent"; readonly opening: number }
  | { readonly kind: "refused"; readonly opening: number }
  | { readonly kind: "alarm" }
  /** What the consumer read in the ledger. */
  | { readonly kind: "completed"; readonly opening: number }
  | { readonly kind: "failed"; readonly opening: number; readonly stored: boolean }
  /** An operator has erased the payload of a settled row: it cannot run again, so nothing here is needed any more. */
  | { readonly kind: "erased"; readonly opening: number };

export type ClaimEffect =
  /** Write the record; `put`: with the input's bytes, `keep`: with those it has, `drop`: without. */
  | { readonly kind: "save"; readonly bytes: "put" | "keep" | "drop" }
  | { readonly kind: "arm"; readonly atMs: number }
  | { readonly kind: "send"; readonly bare: boolean }
  | { readonly kind: "forget" }
  | { readonly kind: "report_stuck"; readonly refusals: number };

export type ClaimReply =
  | { readonly kind: "queued" }
  /** `otherDigest`: the first delivery's digest where this one has other bytes. */
  | { readonly kind: "requeued" | "pending" | "done"; readonly otherDigest: string | null }
  | { readonly kind: "noted" };

export interface ClaimStep {
  readonly next: Claim | null;
  /** In the order in which they must be done: saved and armed before anything is sent. */
  readonly effects: readonly ClaimEffect[];
  readonly reply: ClaimReply;
}

export function step(claim: Claim | null, input: ClaimInput, nowMs: number, timings: Timings): ClaimStep {
  switch (input.kind) {
    case "deliver":
      return deliver(claim, input.facts, input.restoredAtMs ?? null, nowMs, timings);
    case "adopt":
      if (claim !== null) return nothing(claim);
      return {
        next: { ...fresh("enqueued", nowMs), facts: input.facts, hasBytes: input.hasBytes, opening: input.opening },
        effects: [
          { kind: "save", bytes: input.hasBytes ? "put" : "drop" },
          { kind: "arm", atMs: nowMs + watchdogDelayMs(0, timings) },
        ],
        reply: NOTED,
      };
    case "sent":
    case "refused":
      return returned(claim, input, nowMs, timings);
    case "alarm":
      return alarm(claim, nowMs, timings);
    case "completed":
      return claim?.status === "completed" ? nothing(claim) : completed(claim, input.opening, nowMs, timings);
    case "failed":
      return told(claim, input.opening, input.stored, nowMs, timings);
    case "erased":
      // An object is not made for it: what a later delivery brings goes when the consumer finds the row settled.
      return claim === null ? nothing(claim) : completed(withoutHeaders(claim), input.opening, nowMs, timings);
  }
}

function fresh(status: ClaimStatus, nowMs: number): Claim {
  return {
    v: 1,
    status,
    facts: null,
    hasBytes: false,
    opening: 0,
    sinceMs: nowMs,
    sentMs: null,
    refusals: 0,
    refusedSinceMs: null,
    watchdogs: 0,
    stored: false,
    duplicates: 0,
    mismatches: 0,
  };
}

function completed(claim: Claim | null, opening: number, nowMs: number, timings: Timings): ClaimStep {
  return {
    next: {
      ...(claim ?? fresh("completed", nowMs)),
      status: "completed",
      opening: Math.max(opening, claim?.opening ?? 0),
      sinceMs: nowMs,
      hasBytes: false,
      sentMs: null,
      refusals: 0,
      refusedSinceMs: null,
    },
    effects: [
      { kind: "save", bytes: "drop" },
      { kind: "arm", atMs: nowMs + timings.completedKeptMs },
    ],
    reply: NOTED,
  };
}

/** The digest stays, so that other bytes under this id are still noticed. */
const withoutHeaders = (claim: Claim): Claim => (claim.facts === null ? claim : { ...claim, facts: { ...claim.facts, headers: {} } });

function deliver(claim: Claim | null, facts: EventFacts, restoredAtMs: number | null, nowMs: number, timings: Timings): ClaimStep {
  const firstDigest = claim?.facts?.digest ?? null;
  const otherDigest = firstDigest === facts.digest ? null : firstDigest;
  if (claim === null || claim.status === "failed" || isDoubtful(claim, restoredAtMs)) {
    const before = claim ?? fresh("claimed", nowMs);
    const keepsFirst = before.hasBytes; // first write wins
    const next: Claim = {
      ...fresh("claimed", nowMs),
      facts: keepsFirst ? before.facts : facts,
      hasBytes: true,
      opening: Math.max(before.opening + 1, nowMs),
      duplicates: claim === null ? 0 : before.duplicates + 1,
      mismatches: before.mismatches + (otherDigest === null ? 0 : 1),
    };
    return {
      next,
      effects: [{ kind: "save", bytes: keepsFirst ? "keep" : "put" }, { kind: "arm", atMs: nowMs + timings.leaseMs }, send(next)],
      reply: claim === null ? { kind: "queued" } : { kind: "requeued", otherDigest },
    };
  }
  const next: Claim = { ...claim, duplicates: claim.duplicates + 1, mismatches: claim.mismatches + (otherDigest === null ? 0 : 1) };
  // A mismatch has to show in the ledger: a message carries the count there, at its powers of two, so that a sender cannot multiply messages.
  const tells = otherDigest !== null && isPowerOfTwo(next.mismatches);
  return {
    next,
    effects: tells || isStale(claim, nowMs, timings) ? [send(next)] : [],
    reply: { kind: claim.status === "completed" ? "done" : "pending", otherDigest },
  };
}

/** Its row may be lost: the ledger is asked again, which runs nothing that it still knows as settled. */
const isDoubtful = (claim: Claim, restoredAtMs: number | null): boolean =>
  claim.status === "completed" && restoredAtMs !== null && claim.sinceMs < restoredAtMs;

const isPowerOfTwo = (n: number): boolean => n > 0 && (n & (n - 1)) === 0;

/** Worth a message at once when somebody asks again: its lease has passed, or the queue took it long ago. */
function isStale(claim: Claim, nowMs: number, timings: Timings): boolean {
  if (claim.status === "claimed") return nowMs >= claim.sinceMs + timings.leaseMs;
  return claim.status === "enqueued" && nowMs >= (claim.sentMs ?? claim.sinceMs) + timings.staleEnqueuedMs;
}

function alarm(claim: Claim | null, nowMs: number, timings: Timings): ClaimStep {
  if (claim === null) return { next: null, effects: [{ kind: "forget" }], reply: NOTED };
  switch (claim.status) {
    case "claimed":
    case "enqueued":
      return relayAlarm(claim, nowMs, timings);
    case "completed":
      return retire(claim, timings.completedKeptMs, true, nowMs);
    case "failed":
      return retire(claim, timings.failedKeptMs, claim.stored || !claim.hasBytes, nowMs);
  }
}

/** Forget when old enough; an alarm that came early, or bytes that only this object has, wait on. */
function retire(claim: Claim, keptMs: number, mayForget: boolean, nowMs: number): ClaimStep {
  const dueMs = claim.sinceMs + keptMs;
  if (nowMs >= dueMs && mayForget) return { next: null, effects: [{ kind: "forget" }], reply: NOTED };
  return { next: claim, effects: [{ kind: "arm", atMs: nowMs >= dueMs ? nowMs + keptMs : dueMs }], reply: NOTED };
}

function told(claim: Claim | null, opening: number, stored: boolean, nowMs: number, timings: Timings): ClaimStep {
  if (claim !== null) {
    if (opening < claim.opening) return nothing(claim);
    // Only a replay can have opened it again since: of a skipped event, or of a completed one by force: that failure is news (docs/decisions/019).
    if (claim.status === "completed" && opening === claim.opening) return nothing(claim);
    if (claim.status === "failed" && claim.opening === opening && (claim.stored || !stored)) return nothing(claim);
  }
  const before = claim ?? fresh("failed", nowMs);
  return {
    next: {
      ...before,
      status: "failed",
      sinceMs: nowMs,
      opening: Math.max(opening, before.opening),
      hasBytes: before.hasBytes && !stored,
      stored,
      sentMs: null,
      refusals: 0,
      refusedSinceMs: null,
    },
    effects: [
      { kind: "save", bytes: stored ? "drop" : "keep" },
      { kind: "arm", atMs: nowMs + timings.failedKeptMs },
    ],
    reply: NOTED,
  };
}
