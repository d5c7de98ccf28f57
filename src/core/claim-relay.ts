/** Pure. The part of a claim's decisions that brings it to the queue: what a send that came back means, and what the alarm does meanwhile. */
import type { Claim, ClaimEffect, ClaimReply, ClaimStep } from "./claim.ts";
import { REFUSALS_BEFORE_BARE_KEY, REFUSALS_BEFORE_STUCK } from "./limits.ts";
import { resendDelayMs, watchdogDelayMs } from "./retry.ts";
import type { Timings } from "./timings.ts";

export const NOTED: ClaimReply = { kind: "noted" };
export const nothing = (claim: Claim | null): ClaimStep => ({ next: claim, effects: [], reply: NOTED });

export const send = (claim: Claim): ClaimEffect => ({ kind: "send", bare: !claim.hasBytes || claim.refusals >= REFUSALS_BEFORE_BARE_KEY });

function enqueue(claim: Claim, nowMs: number, timings: Timings): ClaimStep {
  return {
    next: { ...claim, status: "enqueued", sinceMs: nowMs, refusals: 0, refusedSinceMs: null, watchdogs: 0 },
    effects: [
      { kind: "save", bytes: "keep" },
      { kind: "arm", atMs: nowMs + watchdogDelayMs(0, timings) },
    ],
    reply: NOTED,
  };
}

/** A send that came back: of the opening that is still open, or of an older one, whose newer one found the relay busy. */
export function returned(
  claim: Claim | null,
  back: { readonly kind: "sent" | "refused"; readonly opening: number },
  nowMs: number,
  timings: Timings,
): ClaimStep {
  if (claim === null || (claim.status !== "claimed" && claim.status !== "enqueued")) return nothing(claim);
  if (back.opening !== claim.opening) {
    return claim.status === "claimed" && claim.sentMs === null ? { ...nothing(claim), effects: [send(claim)] } : nothing(claim);
  }
  return back.kind === "sent" ? sent(claim, nowMs, timings) : refused(claim, nowMs, timings);
}

function sent(claim: Claim, nowMs: number, timings: Timings): ClaimStep {
  const taken: Claim = { ...claim, sentMs: nowMs, refusals: 0, refusedSinceMs: null };
  if (claim.status === "claimed") {
    // On the happy path nothing is written: the lease's alarm writes `enqueued` if it still matters by then.
    return nowMs < claim.sinceMs + timings.leaseMs ? nothing(taken) : enqueue(taken, nowMs, timings);
  }
  if (claim.refusals === 0) return nothing(taken);
  return {
    next: taken,
    effects: [
      { kind: "save", bytes: "keep" },
      { kind: "arm", atMs: nowMs + watchdogDelayMs(claim.watchdogs, timings) },
    ],
    reply: NOTED,
  };
}

function refused(claim: Claim, nowMs: number, timings: Timings): ClaimStep {
  const refusedSinceMs = claim.refusedSinceMs ?? nowMs;
  const next: Claim = { ...claim, refusals: claim.refusals + 1, refusedSinceMs };
  const effects: ClaimEffect[] = [
    { kind: "save", bytes: "keep" },
    { kind: "arm", atMs: nowMs + resendDelayMs(next.refusals, nowMs - refusedSinceMs, timings) },
  ];
  if (next.refusals >= REFUSALS_BEFORE_STUCK) effects.push({ kind: "report_stuck", refusals: next.refusals });
  return { next, effects, reply: NOTED };
}

/** What the alarm of an event that is not settled does: the lease has passed, a refused send is due again, or the watchdog barks. */
export function relayAlarm(claim: Claim, nowMs: number, timings: Timings): ClaimStep {
  if (claim.status === "claimed") {
    // This object remembers that the queue took it: only now is that worth a write.
    if (claim.sentMs !== null && claim.refusals === 0) return enqueue(claim, nowMs, timings);
    // Until the queue has it, it stays `claimed`: a death between the write and the send would otherwise wait for the watchdog (docs/decisions/010).
    return { next: claim, effects: [{ kind: "arm", atMs: nowMs + timings.leaseMs }, send(claim)], reply: NOTED };
  }
  const next: Claim = { ...claim, watchdogs: claim.watchdogs + 1 };
  return {
    next,
    effects: [{ kind: "save", bytes: "keep" }, { kind: "arm", atMs: nowMs + watchdogDelayMs(next.watchdogs, timings) }, send(next)],
    reply: NOTED,
  };
}
