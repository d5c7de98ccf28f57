/** Runs an event's `after`, which is owed from the commit on: counted before it begins, so that whatever ends it is counted too. */
import { AFTER_ATTEMPTS_LIMIT } from "../core/limits.ts";
import { attemptDelayMs } from "../core/retry.ts";
import { findRoute } from "../core/routes.ts";
import { isSampled } from "../core/sampled.ts";
import { within } from "../deadline.ts";
import { faultPoint } from "../fault-points.ts";
import { BatchHandler } from "../handler.ts";
import { brief, frames, log } from "../log.ts";
import { classify } from "../store/classify.ts";
import { beginAfter, endAfter, failAfter, type OwedAfter } from "../store/statements/after.ts";
import type { Consumer } from "./consume.ts";
import { eventOf } from "./run-handler.ts";
import type { Session } from "./session.ts";
import { statementFor } from "./statement.ts";
import type { Work } from "./work.ts";

export async function runAfter(work: Work, session: Session, consumer: Consumer): Promise<void> {
  const { timings } = session.config;
  const { source, id: eventId } = work.key;
  const owed = await statementFor(work, "after", session, () => beginAfter(session.db, work.key, timings.suspectLeaseMs));
  if (owed === undefined) return;
  if (owed === null) {
    work.owesAfter = false;
    work.again = { kind: "wait", delayMs: timings.transientDelayMs, reason: "a copy is at its after, or has done it" };
    return;
  }
  if (FAULTS) await faultPoint("consume.after_begun");
  const startMs = Date.now();
  const outcome = await attempt(owed, consumer, timings.afterMs);
  if (outcome.ok) {
    if (FAULTS) await faultPoint("consume.after_ran");
    await statementFor(work, "after", session, () => endAfter(session.db, work.key));
    if (FAULTS) await faultPoint("consume.after_ended");
    work.owesAfter = false;
    if (isSampled(work.key, session.config.logSuccessRate))
      log("info", "after", { source, eventId, type: owed.type, outcome: "done", attempt: owed.afterAttempts, ms: { after: Date.now() - startMs } });
    return;
  }
  const failure = classify(outcome.error, { phase: "after", handlerElapsedMs: Date.now() - startMs, openedAgoMs: 0, timings });
  const dead = failure.class === "permanent" || owed.afterAttempts >= AFTER_ATTEMPTS_LIMIT;
  const delayMs = dead
    ? 0
    : failure.retryAfterSeconds === undefined
      ? attemptDelayMs(owed.afterAttempts, timings)
      : failure.retryAfterSeconds * 1_000;
  await statementFor(work, "after", session, () =>
    failAfter(session.db, {
      ...work.key,
      opening: owed.opening,
      class: failure.class,
      message: failure.message,
      stack: failure.stack,
      dead,
      delayMs,
    }),
  );
  log(dead ? "error" : "warn", "after", {
    source,
    eventId,
    type: owed.type,
    outcome: dead ? "failed" : "attempt_failed",
    attempt: owed.afterAttempts,
    class: failure.class,
    ...(failure.sqlstate === null ? {} : { sqlstate: failure.sqlstate }),
    ms: { after: Date.now() - startMs },
    error: brief(failure.message, failure.sqlstate),
    stack: frames(failure.stack),
    ...(dead ? { hint: "the event stays completed; replay it to run its after again" } : { delayMs }),
  });
  work.owesAfter = false;
  if (!dead) work.again ??= { kind: "wait", delayMs, reason: "its after failed" };
}

type Attempt = { readonly ok: true } | { readonly ok: false; readonly error: unknown };

async function attempt(owed: OwedAfter, consumer: Consumer, deadlineMs: number): Promise<Attempt> {
  const abort = new AbortController();
  try {
    // It began and never ended as often as it may fail: something in it ends the isolate.
    if (owed.afterAttempts > AFTER_ATTEMPTS_LIMIT) throw new Error(`its after began ${owed.afterAttempts - 1} times and never ended`);
    const route = findRoute(consumer.routes, owed.source, owed.type);
    if (route === null || route.handler instanceof BatchHandler || route.handler.after === undefined)
      throw new Error("an after is owed, but the event's handler has none any more");
    const event = await eventOf(owed, route);
    const { signal } = abort;
    const bounded: typeof fetch = (input: RequestInfo | URL, init?: RequestInit) => fetch(input, { ...init, signal: init?.signal ?? signal });
    await within(
      deadlineMs,
      "after",
      route.handler.after({ event, data: event.data, result: owed.result, env: consumer.env, signal, fetch: bounded }),
    );
    return { ok: true };
  } catch (error) {
    return { ok: false, error };
  } finally {
    abort.abort();
  }
}
