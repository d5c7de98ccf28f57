/** Pure. What a row and a failure mean for an event: run it, leave it, count it, give it back (DESIGN 3.4). */
import { ATTEMPTS_LIMIT, UNFINISHED_STARTS_LIMIT } from "./limits.ts";
import { attemptDelayMs } from "./retry.ts";
import type { Timings } from "./timings.ts";

export type EventStatus = "pending" | "completed" | "skipped" | "failed";
export type AfterStatus = "none" | "owed" | "done" | "failed";
export type FailureClass = "transient" | "permanent" | "unknown" | "handler_timeout" | "killed";

/** What the record step learned about a row. */
export interface RowSeen {
  readonly status: EventStatus;
  readonly after: AfterStatus;
  /** Starts that had not ended when this consumer came. */
  readonly unfinishedStarts: number;
  /** Bytes in the row; null: it has none. */
  readonly bodyBytes: number | null;
  /** How long until the message that is meant to run it next; 0 or less: it is due. */
  readonly dueInMs: number;
}

export type Plan =
  /** Its claim is told what the row says. */
  | { readonly kind: "settled" }
  | { readonly kind: "after" }
  /** A copy came before its row's next attempt is due: it waits with the others, so that copies do not use up attempts. */
  | { readonly kind: "early"; readonly delayMs: number }
  /** Somebody began it and never ended: it runs alone, so that it can kill nobody else. */
  | { readonly kind: "suspect" }
  | { readonly kind: "fetch" }
  | { readonly kind: "large" }
  | { readonly kind: "run" };

/** A copy may be this much early: queues round to seconds, clocks differ. */
export const EARLY_TOLERANCE_MS = 2_000;

/** Its next attempt is not due yet: whoever comes now is a copy. */
export function isEarly(row: { readonly dueInMs: number }): boolean {
  return row.dueInMs > EARLY_TOLERANCE_MS;
}

export function planRow(row: RowSeen, largeBodyBytes: number): Plan {
  if (row.status !== "pending" && row.after !== "owed") return { kind: "settled" };
  if (isEarly(row)) return { kind: "early", delayMs: row.dueInMs };
  if (row.status !== "pending") return { kind: "after" };
  if (row.unfinishedStarts > 0) return { kind: "suspect" };
  if (row.bodyBytes === null) return { kind: "fetch" };
  return row.bodyBytes > largeBodyBytes ? { kind: "large" } : { kind: "run" };
}

/** `starts` as committed for the run that is about to begin: the batch's own start, then one a run alone. */
export function isKiller(starts: number): boolean {
  return starts > UNFINISHED_STARTS_LIMIT;
}

export interface Failure {
  readonly class: FailureClass;
  /** What a handler asked for with RetryAfterError. */
  readonly retryAfterSeconds?: number | undefined;
}

export type Verdict =
  /** Not the event's fault: given back, not counted. */
  | { readonly kind: "give_back" }
  /** Counted; `dead`: this was the last. `delayMs` until the next attempt. */
  | { readonly kind: "count"; readonly dead: boolean; readonly reason: string; readonly delayMs: number };

/** `attempts`: counted failures of this opening before this one. */
export function judge(failure: Failure, attempts: number, timings: Timings): Verdict {
  switch (failure.class) {
    case "transient":
      return { kind: "give_back" };
    case "permanent":
      return { kind: "count", dead: true, reason: "permanent", delayMs: 0 };
    case "killed":
      return { kind: "count", dead: true, reason: "killed", delayMs: 0 };
    case "unknown":
    case "handler_timeout": {
      const dead = attempts + 1 >= ATTEMPTS_LIMIT;
      const asked = failure.retryAfterSeconds === undefined ? attemptDelayMs(attempts + 1, timings) : failure.retryAfterSeconds * 1_000;
      return { kind: "count", dead, reason: failure.class === "handler_timeout" ? "handler_timeout" : "attempts_used_up", delayMs: dead ? 0 : asked };
    }
  }
}
