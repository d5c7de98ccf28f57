/** Pure. Whose fault a failure is, and what follows: the one place that decides (DESIGN 3.4, "Failures are classified"). */
import { HandlerTimeout, PermanentError, RetryAfterError } from "../core/errors.ts";
import type { Timings } from "../core/timings.ts";
import { chainOf, textOf } from "./error-chain.ts";
import { failureMessage, failureStack } from "./failure-text.ts";
import { type DatabaseFault, databaseFault } from "./sqlstates.ts";

/** Where it happened. `commit` speaks of handlers' SQL too: deferred constraints and triggers fail there. */
export type Phase = "connect" | "record" | "lock" | "handler" | "settle" | "commit" | "after";

export type FailureClass =
  /** Not the event's fault: given back, not counted. */
  | "transient"
  /** Trying again cannot help: one attempt, then a dead letter. */
  | "permanent"
  /** Counted, tried again. */
  | "unknown"
  /** Counted, tried again. */
  | "handler_timeout";

export interface Failure {
  readonly class: FailureClass;
  readonly sqlstate: string | null;
  readonly constraint: string | null;
  readonly message: string;
  readonly stack: string;
  /** What a RetryAfterError asked for. */
  readonly retryAfterSeconds?: number;
}

export interface Circumstances {
  readonly phase: Phase;
  /** How long the handler had run when it failed. */
  readonly handlerElapsedMs?: number;
  /** How long ago the event was opened for work. */
  readonly openedAgoMs: number;
  readonly timings: Pick<Timings, "handlerMs" | "handlerContentionMs">;
}

export function classify(error: unknown, at: Circumstances): Failure {
  const fault = databaseFault(error);
  const retryAfter = chainOf(error).find(isRetryAfter);
  return {
    class: classOf(error, fault, at),
    sqlstate: fault?.sqlstate ?? null,
    constraint: fault?.constraint ?? null,
    message: failureMessage(error),
    stack: failureStack(error),
    ...(retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter.afterSeconds }),
  };
}

function classOf(error: unknown, fault: DatabaseFault | null, at: Circumstances): FailureClass {
  switch (at.phase) {
    case "connect":
    case "lock":
      return isPermanent(error) ? "permanent" : "transient";
    case "record":
      return isPermanent(error) || isUnstorable(fault) ? "permanent" : "transient";
    case "settle":
      // Only a handler's result can be data that the ledger's own update does not take. Counted: an outage would never count it, and it would never end.
      return isPermanent(error) ? "permanent" : isUnstorable(fault) && fault?.sqlstate !== "23502" ? "unknown" : "transient";
    case "commit":
      return passesAtCommit(error, fault) ? "transient" : handlerClass(error, fault, at);
    case "handler":
    case "after":
      return handlerClass(error, fault, at);
  }
}

function handlerClass(error: unknown, fault: DatabaseFault | null, at: Circumstances): FailureClass {
  if (isHandlerTimeout(error)) return "handler_timeout";
  switch (fault?.fault) {
    case "overslept":
      return "handler_timeout";
    case "lost":
      return (at.handlerElapsedMs ?? 0) >= at.timings.handlerMs ? "handler_timeout" : "transient";
    case "outage":
      return "transient";
    case "contention":
      if (at.openedAgoMs < at.timings.handlerContentionMs) return "transient";
      break;
    case "data":
    case "other":
    case undefined:
      break;
  }
  if (isPermanent(error)) return "permanent";
  if (chainOf(error).some(isRetryAfter)) return "unknown";
  return fault?.fault === "data" ? "permanent" : "unknown";
}

/** COMMIT is our statement, but a deferred constraint or trigger that refuses it is a handler's SQL: uncounted, it would refuse for ever. */
function passesAtCommit(error: unknown, fault: DatabaseFault | null): boolean {
  switch (fault?.fault) {
    case "lost":
    case "outage":
    case "overslept":
      return true;
    case "contention":
    case "data":
    case "other":
      return false;
    case undefined:
      return !isPermanent(error) && !isHandlerTimeout(error) && !chainOf(error).some(isRetryAfter);
  }
}

/** Data that no statement can store, so that trying again cannot help; 54000 is a value beyond a limit of the server's. */
function isUnstorable(fault: DatabaseFault | null): boolean {
  return fault?.fault === "data" || fault?.sqlstate === "54000";
}

// By name too: a handler may have been bundled with a copy of these classes, or its error may have crossed an RPC.
const isNamed = (name: string) => (link: unknown) => textOf(link, "name") === name;

function isPermanent(error: unknown): boolean {
  return chainOf(error).some((link) => link instanceof PermanentError || isNamed("PermanentError")(link));
}

function isHandlerTimeout(error: unknown): boolean {
  return chainOf(error).some((link) => link instanceof HandlerTimeout || isNamed("HandlerTimeout")(link));
}

function isRetryAfter(link: unknown): link is { readonly afterSeconds: number } {
  if (link instanceof RetryAfterError) return true;
  if (!isNamed("RetryAfterError")(link)) return false;
  const afterSeconds: unknown = Reflect.get(Object(link), "afterSeconds");
  return typeof afterSeconds === "number" && Number.isFinite(afterSeconds) && afterSeconds > 0;
}
