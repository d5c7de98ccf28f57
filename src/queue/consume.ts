/**
 * The consumer of `events`: record (commit) -> lock -> handle -> settle -> commit, then the claims are told and each message acknowledged or given
 * back. One poisoned event costs only its own attempt; an outage costs nobody one. Never throws: a throw would retry the whole batch.
 */
import type { Config } from "../config.ts";
import { LARGE_BODY_BYTES } from "../core/limits.ts";
import { planRow, type Plan } from "../core/settlement.ts";
import { decodeMessage } from "../core/message.ts";
import { faultPoint } from "../fault-points.ts";
import type { Route } from "../handler.ts";
import { errorText, frames, log } from "../log.ts";
import { count } from "../metrics.ts";
import type { Provider } from "../providers/provider.ts";
import { endStarts, start, type StartedKey } from "../store/statements/start.ts";
import type { RecordedRow } from "../store/statements/record.ts";
import { runAfter } from "./after.ts";
import { Alone } from "./alone.ts";
import { conclude } from "./conclude.ts";
import { fetchBody } from "./fetch-body.ts";
import { recordAll, recordHeld } from "./record-all.ts";
import { inTime, Outage, Session } from "./session.ts";
import { statementFor } from "./statement.ts";
import { Together } from "./together.ts";
import { giveBack, isOpen, type Received, toWorks, type Work } from "./work.ts";

/** What the consumer needs of the world. */
export interface Consumer {
  readonly env: Env;
  readonly config: Config;
  readonly routes: readonly Route[];
  /** The page of a source; null: src/sources.ts has no such source. */
  readonly provider: (source: string) => Provider | null;
}

const UNRELEASED_LIMIT = 10_000;
const OUTAGE_HINT = "Postgres did not answer; nothing is lost, the messages wait. On a laptop it is started by `npm run dev`";

export async function consume(batch: MessageBatch, consumer: Consumer): Promise<void> {
  const startMs = Date.now();
  const works = toWorks(readable(batch.messages, consumer));
  const session = new Session(consumer.env.HYPERDRIVE, consumer.config);
  try {
    if (FAULTS) await faultPoint("consume.received");
    await workOff(works, session, consumer);
  } catch (error) {
    const reason = errorText(error);
    log(error instanceof Outage ? "warn" : "error", error instanceof Outage ? "outage" : "consumer_failed", {
      error: reason,
      ...(error instanceof Error && !(error instanceof Outage) && error.stack !== undefined ? { stack: frames(error.stack) } : {}),
      givenBack: works.filter(isOpen).length,
      ...(error instanceof Outage ? { hint: OUTAGE_HINT } : {}),
    });
    giveBack(works, { kind: "outage", reason });
  }
  giveBack(works, { kind: "outage", reason: "not reached" });
  await releaseStarts(works, session);
  await conclude(works, consumer);
  count(
    consumer.env,
    works.flatMap(({ counts }) => counts),
  );
  log("info", "batch", {
    messages: batch.messages.length,
    settled: works.filter((work) => work.settled !== null).length,
    givenBack: works.filter((work) => work.again !== null).length,
    ms: { total: Date.now() - startMs },
  });
}

/** Messages that cannot be read go back: a newer version speaks for a deploy under way, an unknown source too. */
function readable(messages: readonly Message[], consumer: Consumer): Received[] {
  return messages.flatMap((handle) => {
    const decoded = decodeMessage(handle.body);
    if (decoded.ok && consumer.provider(decoded.value.facts.source) !== null) return [{ handle, message: decoded.value }];
    const fields = decoded.ok
      ? { reason: "source_unknown", source: decoded.value.facts.source, eventId: decoded.value.facts.id }
      : { reason: decoded.failure.reason };
    log("error", "message_unreadable", {
      ...fields,
      attempt: handle.attempts,
      hint: "given back: a deploy may be under way; if this goes on, the source was removed from src/sources.ts",
    });
    handle.retry();
    return [];
  });
}

async function workOff(works: readonly Work[], session: Session, consumer: Consumer): Promise<void> {
  const together = new Together(session, consumer);
  const alone = new Alone(session, consumer);
  await release(session);
  const recorded = await recordAll(works, session);
  if (FAULTS) await faultPoint("consume.recorded");
  const plans = plan(recorded);
  const of = (kind: Plan["kind"]): Work[] => plans.filter((one) => one.plan.kind === kind).map((one) => one.work);

  const heldElsewhere = [...(await together.run(of("run"), alone)), ...works.filter((work) => isOpen(work) && !recorded.has(work))];
  // Somebody else has these rows locked, most likely for the same event: wait for each, bounded by the lock timeout.
  for (const work of heldElsewhere) {
    if (!inTime(work, session)) continue;
    const row = recorded.has(work) ? recorded.get(work) : await recordHeld(work, session);
    if (row !== undefined) await one(work, row, session, consumer, alone);
  }
  for (const work of [...of("fetch"), ...of("large")]) {
    if (!inTime(work, session)) continue;
    const row = recorded.get(work);
    if (row !== undefined) await one(work, row, session, consumer, alone);
  }
  for (const work of works.filter((work) => work.owesAfter)) if (!session.isOutOfTime()) await runAfter(work, session, consumer);
  // Last, and the least suspected first: each may end this isolate, and with it whatever comes after.
  const suspects = plans
    .filter((one) => one.plan.kind === "suspect")
    .toSorted((left, right) => left.row.unfinishedStarts - right.row.unfinishedStarts);
  for (const { work, row } of suspects) {
    if (!inTime(work, session)) continue;
    await runSuspect(work, row, session, consumer, alone);
    if (work.owesAfter) await runAfter(work, session, consumer);
  }
}

/** Decides for each recorded event; what needs no run is decided here for good. */
function plan(recorded: ReadonlyMap<Work, RecordedRow>): { readonly work: Work; readonly row: RecordedRow; readonly plan: Plan }[] {
  return [...recorded].map(([work, row]) => ({ work, row, plan: decide(work, row) }));
}

function decide(work: Work, row: RecordedRow): Plan {
  const decided = planRow(row, LARGE_BODY_BYTES);
  if (row.status !== "pending") work.settled = { status: row.status, opening: row.opening, stored: row.bodyBytes !== null };
  if (decided.kind === "after") work.owesAfter = true;
  if (decided.kind === "early") work.again = { kind: "wait", delayMs: decided.delayMs, reason: "a copy came before its event's next attempt is due" };
  return decided;
}

/** One event by itself, whatever its row asks for. */
async function one(work: Work, row: RecordedRow, session: Session, consumer: Consumer, alone: Alone): Promise<void> {
  const decided = decide(work, row);
  switch (decided.kind) {
    case "settled":
    case "early":
    case "after":
      return;
    case "suspect":
      return runSuspect(work, row, session, consumer, alone);
    case "fetch":
      if (!(await fetchBody(work, row, session, consumer.env, alone))) return;
      return alone.run(work);
    case "large":
    case "run":
      return alone.run(work);
  }
}

/** Commits the start before the run. Somebody else's lease, or a killer's record, ends it here. */
async function runSuspect(work: Work, row: RecordedRow, session: Session, consumer: Consumer, alone: Alone): Promise<void> {
  const started = await statementFor(work, "record", session, () => start(session.db, work.key, session.config.timings.suspectLeaseMs));
  if (started === undefined) return;
  if (started === null) {
    work.again = { kind: "wait", delayMs: session.config.timings.suspectLeaseMs, reason: "a copy of this event is being run" };
    return;
  }
  work.starts = started.starts;
  if (FAULTS) await faultPoint("consume.started");
  if (await alone.endKiller(work, started)) return;
  log("info", "suspect", { source: work.key.source, eventId: work.key.id, suspect: true, attempt: started.starts });
  if (row.bodyBytes === null && !(await fetchBody(work, started, session, consumer.env, alone))) return;
  await alone.run(work);
}

/**
 * Events that go back have no unfinished start: only a death leaves one. After an outage a new client is tried, once; where that fails too
 * they keep it, and run alone next time.
 */
async function releaseStarts(works: readonly Work[], session: Session): Promise<void> {
  const keys = works.flatMap((work) =>
    work.again === null || work.starts === null ? [] : [{ ...work.key, starts: work.starts, left: work.suspect ? 1 : 0 } as const],
  );
  unreleased.push(...keys);
  await release(session);
}

/** Kept for this isolate's next batch: it lives, so none of these runs ended it, however long Postgres was away. */
const unreleased: StartedKey[] = [];

async function release(session: Session): Promise<void> {
  const keys = unreleased.splice(0);
  if (keys.length === 0) return;
  try {
    await endStarts(session.db, keys);
    if (FAULTS) await faultPoint("consume.released");
  } catch (error) {
    unreleased.push(...keys.slice(0, UNRELEASED_LIMIT));
    log("warn", "starts_kept", { givenBack: keys.length, error: errorText(error) });
  }
}
