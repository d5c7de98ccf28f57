/** Pure. How long to wait before the next try, everywhere. Randomness comes in as a number. */
import type { Timings } from "./timings.ts";

/** After a refused send: 1 s, doubling to a cap; an outage of over an hour is tried hourly, for ever. */
export function resendDelayMs(refusals: number, refusedForMs: number, timings: Timings): number {
  if (refusedForMs >= timings.resendSlowAfterMs) return timings.resendSlowMs;
  return Math.min(timings.resendMs * 2 ** Math.min(refusals - 1, 30), timings.resendCapMs);
}

/** Between two messages for an event that the queue has: long, since the queue is durable. */
export function watchdogDelayMs(watchdogs: number, timings: Timings): number {
  return Math.min(timings.watchdogMs * 4 ** Math.min(watchdogs, 10), timings.watchdogCapMs);
}

/** Before the next counted attempt, after `attempts` of them (1 or more). */
export function attemptDelayMs(attempts: number, timings: Timings): number {
  const last = timings.attemptDelaysMs.length - 1;
  return timings.attemptDelaysMs[Math.min(Math.max(attempts - 1, 0), last)] ?? timings.transientDelayCapMs;
}

/**
 * For a message given back in an outage: doubles per delivery of the message, with full jitter over its upper half,
 * so that a recovered database does not meet everything at once. `random` in [0, 1).
 */
export function transientDelayMs(deliveries: number, random: number, timings: Timings): number {
  const full = Math.min(timings.transientDelayMs * 2 ** Math.min(Math.max(deliveries - 1, 0), 20), timings.transientDelayCapMs);
  return Math.ceil(full * (0.5 + random / 2));
}

/** Queues take whole seconds, at most 12 hours. Rounded up, so that a message is never early for its row. */
export function delaySeconds(delayMs: number): number {
  return Math.min(Math.max(Math.ceil(delayMs / 1_000), 0), 43_200);
}
