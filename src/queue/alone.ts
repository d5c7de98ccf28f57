/** One event in a transaction of its own: the only place where a failure is counted, so that nobody else's failure can be. */
import { eventKeyText } from "../core/event.ts";
import type { EventMessage } from "../core/message.ts";
import { isKiller, judge } from "../core/settlement.ts";
import { faultPoint } from "../fault-points.ts";
import { isToSplit } from "../providers/items.ts";
import { classify, type Failure, type Phase } from "../store/classify.ts";
import { fail } from "../store/statements/fail.ts";
import { lock, type LockedRow } from "../store/statements/lock.ts";
import { type Settled, settle } from "../store/statements/settle.ts";
import type { StartedRow } from "../store/statements/start.ts";
import type { Consumer } from "./consume.ts";
import { logEnded, logFailed, type RunTimes } from "./log-outcome.ts";
import { isRunnable, runOne, turnOf } from "./run-handler.ts";
import { Outage, type Session } from "./session.ts";
import { Splitting } from "./split.ts";
import { statementFor } from "./statement.ts";
import { suspectedReplays } from "./suspected-replays.ts";
import type { Work } from "./work.ts";

/** What was seen of a row when its event failed: the failure is written over nothing else. */
export interface Seen {
  readonly opening: number;
  readonly attempts: number;
}

export class Alone {
  readonly #session: Session;
  readonly #consumer: Consumer;

  constructor(session: Session, consumer: Consumer) {
    this.#session = session;
    this.#consumer = consumer;
  }

  /** Locks (waiting for whoever holds the row), runs, settles, commits; or counts the failure. Throws Outage when the connection is gone. */
  async run(work: Work): Promise<void> {
    const { config } = this.#session;
    let phase: Phase = "lock";
    let seen: LockedRow | null = null;
    let startMs = Date.now();
    let handledMs = startMs;
    const splitting = new Splitting();
    let messages: readonly EventMessage[] = [];
    try {
      const outcome = await this.#session.transaction(async (transaction): Promise<LockedRow | Settled | null> => {
        const row = (await lock(transaction.db, [work.key], "wait"))[0] ?? null;
        if (row === null || !isRunnable(row)) return row;
        seen = row;
        if (FAULTS) await faultPoint("consume.locked");
        const provider = this.#consumer.provider(row.source);
        const replayOf = (await suspectedReplays(transaction.db, [row], this.#consumer)).get(eventKeyText(row)) ?? null;
        phase = "handler";
        startMs = Date.now();
        let result: Settled;
        if (isToSplit(provider, row.id)) {
          result = await splitting.add(row, provider);
          phase = "record";
          messages = await splitting.write(transaction.db);
        } else {
          result = await runOne(transaction, row, await turnOf(row, replayOf, this.#consumer), config);
        }
        handledMs = Date.now();
        phase = "settle";
        if (FAULTS) await faultPoint("consume.handled");
        await settle(transaction.db, [result], config.build);
        phase = "commit";
        if (FAULTS) await faultPoint("consume.settled");
        return result;
      });
      if (FAULTS) await faultPoint("consume.committed");
      await splitting.send(messages, this.#consumer);
      if (outcome !== null && "result" in outcome) return settled(work, outcome, seen, { startMs, handledMs }, config.logSuccessRate);
      if (outcome !== null && outcome.status === "pending" && outcome.body !== null) {
        work.again = { kind: "wait", delayMs: outcome.dueInMs, reason: "another run of it failed meanwhile: its next attempt" };
        return;
      }
      if (outcome === null || outcome.status === "pending") {
        work.again = { kind: "wait", delayMs: config.timings.transientDelayMs, reason: "its row has no bytes yet" };
        return;
      }
      found(work, outcome);
    } catch (error) {
      await this.#failed(work, seen, error, phase, Date.now() - startMs);
    }
  }

  /** Classifies; an outage gives the event back, anything else is counted. */
  async #failed(work: Work, seen: LockedRow | null, error: unknown, phase: Phase, handlerElapsedMs: number): Promise<void> {
    const openedAgoMs = seen === null ? 0 : Date.now() - seen.opening;
    const failure = classify(error, { phase, handlerElapsedMs, openedAgoMs, timings: this.#session.config.timings });
    if (failure.class === "transient" || seen === null) {
      const opening = seen?.opening ?? work.message.opening;
      logFailed(work, { outcome: "given_back", opening, failure, phase, handlerMs: phase === "handler" ? handlerElapsedMs : null });
      work.again = { kind: "outage", reason: failure.message };
      work.suspect ||= phase === "handler" && this.#session.isLost();
      if (this.#session.isLost()) throw new Outage(failure.message, { cause: error });
      return;
    }
    await this.count(work, seen, failure, phase, { handlerMs: phase === "handler" ? handlerElapsedMs : null });
  }

  /** Writes the failure down, in a transaction of its own; with the last one the event is a dead letter. */
  async count(
    work: Work,
    seen: Seen,
    failure: Omit<Failure, "class"> & { readonly class: Failure["class"] | "killed" },
    phase: Phase,
    { reason, handlerMs = null }: { readonly reason?: string; readonly handlerMs?: number | null } = {},
  ): Promise<void> {
    const { config } = this.#session;
    const verdict = judge(failure, seen.attempts, config.timings);
    if (verdict.kind === "give_back") {
      work.again = { kind: "outage", reason: failure.message };
      return;
    }
    const row = await statementFor(work, "settle", this.#session, () =>
      this.#session.transaction(({ db }) =>
        fail(db, {
          ...work.key,
          opening: seen.opening,
          class: failure.class,
          phase,
          sqlstate: failure.sqlstate,
          constraint: failure.constraint,
          message: failure.message,
          stack: failure.stack,
          dead: verdict.dead,
          reason: reason ?? verdict.reason,
          delayMs: verdict.delayMs,
          build: config.build,
          unlessBody: reason === "bytes_missing",
        }),
      ),
    );
    if (row === undefined) return;
    if (FAULTS) await faultPoint("consume.counted");
    work.starts = null;
    if (row === null) {
      work.again = { kind: "wait", delayMs: 0, reason: "the row changed before its failure was written" };
      return;
    }
    if (row.status === "failed") work.settled = { status: "failed", opening: seen.opening, stored: row.hasBody };
    else work.again = { kind: "wait", delayMs: verdict.delayMs, reason: "its next attempt" };
    const run = { opening: seen.opening, failure, phase, handlerMs, attempt: row.attempts } as const;
    if (row.status === "failed") logFailed(work, { ...run, outcome: "failed", reason: reason ?? verdict.reason });
    else logFailed(work, { ...run, outcome: "attempt_failed", delayMs: verdict.delayMs });
  }

  /** Runs that began and never ended were ended by the platform: memory, or time. Whether this was one too many. */
  async endKiller(work: Work, started: StartedRow): Promise<boolean> {
    const before = started.starts - 1;
    if (!isKiller(before)) return false;
    const message = `began ${before} times and never ended: its handler ends the isolate (out of memory, or of CPU time)`;
    await this.count(work, started, { class: "killed", message, stack: "", sqlstate: null, constraint: null }, "handler");
    return true;
  }
}

export function settled(work: Work, outcome: Settled, row: LockedRow | null, times: RunTimes, successRate: number): void {
  work.settled = { status: outcome.status, opening: outcome.opening, stored: true };
  work.owesAfter = outcome.after === "owed";
  work.starts = null;
  logEnded(work, outcome, row, times, successRate);
}

/** Somebody else settled it. */
export function found(work: Work, row: LockedRow): void {
  if (row.status === "pending") return;
  work.settled = { status: row.status, opening: row.opening, stored: row.body !== null };
  work.owesAfter = row.after === "owed";
  work.starts = null;
}
