/** One wide line for what a run of an event came to. Successes are sampled, failures never; of the event it says what ingest has verified, nothing of its payload. */
import { isSampled } from "../core/sampled.ts";
import { brief, digestPrefix, frames, log, type LogFields } from "../log.ts";
import type { Failure, Phase } from "../store/classify.ts";
import type { LockedRow } from "../store/statements/lock.ts";
import type { Settled } from "../store/statements/settle.ts";
import type { Work } from "./work.ts";

/** A run's stages, as instants. */
export interface RunTimes {
  /** Its handler's turn began. */
  readonly startMs: number;
  /** Its handler had ended. */
  readonly handledMs: number;
}

export function logEnded(work: Work, outcome: Settled, row: LockedRow | null, { startMs, handledMs }: RunTimes, successRate: number): void {
  const nowMs = Date.now();
  if (outcome.suspectedReplayOf !== null) {
    log("warn", "suspected_replay", {
      ...eventOf(work, row),
      otherEventId: outcome.suspectedReplayOf,
      outcome: outcome.status,
      hint: "the same bytes came under another event id, which the signature does not cover",
    });
  }
  const totalMs = Math.max(0, nowMs - (row ?? work.message.facts).receivedAtMs);
  work.counts.push({ source: work.key.source, kind: "run", outcome: outcome.status, reason: outcome.reason, ms: totalMs });
  if (!isSampled(work.key, successRate)) return;
  log("info", "outcome", {
    ...eventOf(work, row),
    outcome: outcome.status,
    ...(outcome.reason === null ? {} : { reason: outcome.reason }),
    opening: outcome.opening,
    attempt: (row?.attempts ?? 0) + 1,
    ms: {
      wait: Math.max(0, startMs - outcome.opening),
      handler: handledMs - startMs,
      commit: nowMs - handledMs,
      total: totalMs,
    },
  });
}

export interface FailedRun {
  readonly outcome: "attempt_failed" | "failed" | "given_back";
  readonly opening: number;
  readonly failure: Pick<Failure, "message" | "stack" | "sqlstate" | "constraint"> & { readonly class: Failure["class"] | "killed" };
  readonly phase: Phase;
  /** null: it did not come to that. */
  readonly handlerMs: number | null;
  readonly attempt?: number;
  /** Why it is a dead letter. */
  readonly reason?: string;
  /** Until its next attempt. */
  readonly delayMs?: number;
}

export function logFailed(work: Work, { outcome, opening, failure, phase, handlerMs, ...told }: FailedRun): void {
  const nowMs = Date.now();
  const totalMs = Math.max(0, nowMs - work.message.facts.receivedAtMs);
  work.counts.push({ source: work.key.source, kind: "run", outcome, reason: failure.class, ms: totalMs });
  // What is given back was not the event's fault: where it happened is in the ledger's server, not in a stack.
  const stack = outcome === "given_back" ? "" : frames(failure.stack);
  log(outcome === "failed" ? "error" : "warn", "outcome", {
    ...eventOf(work, null),
    outcome,
    opening,
    ...told,
    class: failure.class,
    phase,
    ...(failure.sqlstate === null ? {} : { sqlstate: failure.sqlstate }),
    ...(failure.constraint === null ? {} : { constraint: failure.constraint }),
    error: brief(failure.message, failure.sqlstate),
    ...(stack === "" ? {} : { stack }),
    ms: { ...(handlerMs === null ? {} : { handler: handlerMs }), total: totalMs },
  });
}

/** The row's where there is one: it has the first delivery's. */
function eventOf(work: Work, row: LockedRow | null): LogFields {
  const { facts } = work.message;
  return {
    source: work.key.source,
    eventId: work.key.id,
    type: row?.type ?? facts.type,
    digest: digestPrefix((row ?? facts).digest),
    bytes: row?.body?.byteLength ?? facts.bytesLength,
  };
}
