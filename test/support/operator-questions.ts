/** What operators ask of the ledger, and the cron and group replays on their behalf, by name: each as src asks it, of a ledger that seedLedger filled. */
import { sql, TransactionRollbackError } from "drizzle-orm";
import {
  ALERT_KINDS_LIMIT,
  FAILURE_GROUPS_LIMIT,
  HABIT_EVENTS,
  PAGE_DEFAULT,
  PAGE_LIMIT,
  PAYLOAD_SHOWN_BYTES,
  REPLAY_RATE_LIMIT_PER_SECOND,
  REPLAY_RUNS_WOKEN,
  REPLAYS_SHOWN,
  RETENTION_CHUNK_ROWS,
  STORY_ATTEMPTS_LIMIT,
  STORY_AUDIT_LIMIT,
} from "../../src/core/limits.ts";
import type { EventCursor, EventFilter } from "../../src/core/operators.ts";
import { statsWindow } from "../../src/core/stats.ts";
import { timings } from "../../src/core/timings.ts";
import type { Tx } from "../../src/store/guard.ts";
import { reading } from "../../src/store/reading.ts";
import { ledgerHealth } from "../../src/store/statements/health.ts";
import { listAudit } from "../../src/store/statements/list-audit.ts";
import { listEvents } from "../../src/store/statements/list-events.ts";
import { listFailures } from "../../src/store/statements/list-failures.ts";
import { countReplayable } from "../../src/store/statements/plan-replay.ts";
import { readAttempts } from "../../src/store/statements/read-attempts.ts";
import { readAudit } from "../../src/store/statements/read-audit.ts";
import { readBody } from "../../src/store/statements/read-body.ts";
import { readEvent } from "../../src/store/statements/read-event.ts";
import { readFailing } from "../../src/store/statements/read-failing.ts";
import { readHabits } from "../../src/store/statements/read-habits.ts";
import { readHours } from "../../src/store/statements/read-hours.ts";
import { listReplays, readReplay } from "../../src/store/statements/read-replays.ts";
import { readSourceActivity } from "../../src/store/statements/read-source-activity.ts";
import { readStats } from "../../src/store/statements/read-stats.ts";
import { readWaiting } from "../../src/store/statements/read-waiting.ts";
import { endIfDone, openSome } from "../../src/store/statements/replay-group.ts";
import { deleteRows, dropBytes } from "../../src/store/statements/retention.ts";
import { runningReplays } from "../../src/store/statements/running-replays.ts";
import { SEED_NAMED, SEED_SOURCES } from "./seed-ledger.ts";

export interface Question {
  readonly name: string;
  readonly limitMs: number;
  /** It changes rows: asked in a transaction that is rolled back. */
  readonly changes?: true;
  /** How many rows came back. */
  ask(tx: Tx): Promise<number>;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const LIST_LIMIT_MS = 100;
/** Figures of a day are counted from all its events. */
const DAY_LIMIT_MS = 500;

/** A question's answer, or what `how` makes of it, in the transaction that it wants. */
export async function asking<T>(db: Tx, { changes }: Question, how: (tx: Tx) => Promise<T>): Promise<T> {
  if (changes !== true) return reading(db, timings("real"), how);
  const answers: T[] = [];
  const rolledBack = db.transaction(async (tx) => {
    answers.push(await how(tx));
    tx.rollback();
  });
  await rolledBack.catch((error: unknown) => {
    if (!(error instanceof TransactionRollbackError)) throw error;
  });
  return answers[0] as T;
}

/** What everything is held against: one row by its primary key, asked as everything else is. */
export const floor: Question = {
  name: "one row by its primary key",
  limitMs: LIST_LIMIT_MS,
  ask: async (tx) => ((await readEvent(tx, SEED_NAMED.completed)) === null ? 0 : 1),
};

export async function questions(db: Tx): Promise<readonly Question[]> {
  const [newest = { ms: 0 }] = await db.execute<{ ms: number }>(
    sql`select extract(epoch from max(received_at))::float8 * 1000 as ms from webhook_events`,
  );
  const [kind = { fingerprint: "" }] = await db.execute<{ fingerprint: string }>(
    sql`select fingerprint from webhook_events where status = 'failed' group by 1 order by count(*) desc limit 1`,
  );
  const nowMs = newest.ms;
  const week = { fromMs: nowMs - 20 * DAY_MS, toMs: nowMs - 13 * DAY_MS };
  return [
    list("events: newest", {}),
    list("events: newest, a page of 200", {}, null, PAGE_LIMIT),
    list("events: after half of all", {}, await cursorAt(db, 0.5)),
    list("events: the last page", {}, await cursorAt(db, 0.9999)),
    ...(["pending", "completed", "skipped", "failed"] as const).map((status) => list(`events: ${status}`, { status })),
    ...(["owed", "done", "failed"] as const).map((after) => list(`events: after ${after}`, { after })),
    list("events: of a source", { source: "stripe" }),
    list("events: of a source, after half of all", { source: "stripe" }, await cursorAt(db, 0.5)),
    list("events: of a source that went silent", { source: "silent" }),
    list("events: of a source that went silent, completed", { source: "silent", status: "completed" }),
    list("events: of a source that is not there", { source: "nobody" }),
    list("events: of a source, failed", { source: "stripe", status: "failed" }),
    list("events: of a source, completed", { source: "sendgrid", status: "completed" }),
    list("events: of a source, after failed", { source: "stripe", after: "failed" }),
    list("events: of a type", { type: "charge.refunded" }),
    list("events: of a type, failed", { type: "charge.refunded", status: "failed" }),
    list("events: of a type, failed, where none is", { type: "push", status: "failed" }),
    list("events: of a type that the source has not", { source: "stripe", type: "push" }),
    list("events: of a source and type", { source: "adyen", type: "CHARGEBACK" }),
    list("events: of a week", week),
    list("events: of a week, failed", { ...week, status: "failed" }),
    list("events: of a week, of a source and type, completed", { ...week, source: "shopify", type: "orders/paid", status: "completed" }),
    list("events: of a minute", { fromMs: nowMs - 60_000 }),
    list("events: of a time before all", { toMs: nowMs - 90 * DAY_MS }),
    list("events: by id prefix, one", { idPrefix: "evt_needle" }),
    list("events: by id prefix, none", { idPrefix: "zzz" }),
    list("events: by id prefix, 0.2 %", { idPrefix: "evt_a1" }),
    list("events: by id prefix, 4 %", { idPrefix: "evt_a" }),
    list("events: by id prefix, two thirds of all", { idPrefix: "evt_" }),
    list("events: by id prefix and source, failed", { idPrefix: "evt_a", source: "stripe", status: "failed" }),
    list("events: by id prefix of another source", { idPrefix: "82098291194615", source: "stripe" }),
    list("events: by fingerprint", { fingerprint: kind.fingerprint }),
    list("events: by fingerprint, failed, of a week", { ...week, fingerprint: kind.fingerprint, status: "failed" }),
    { name: "story: row, attempts, audit, payload", limitMs: LIST_LIMIT_MS, ask: story },
    { name: "failures by kind", limitMs: LIST_LIMIT_MS, ask: async (tx) => (await listFailures(tx, {}, FAILURE_GROUPS_LIMIT)).length },
    {
      name: "failures by kind, of a source",
      limitMs: LIST_LIMIT_MS,
      ask: async (tx) => (await listFailures(tx, { source: "stripe" }, FAILURE_GROUPS_LIMIT)).length,
    },
    {
      name: "sources: last event, last day",
      limitMs: LIST_LIMIT_MS,
      ask: async (tx) => (await readSourceActivity(tx, [...SEED_SOURCES, "silent", "nobody"], DAY_MS)).length,
    },
    plan("of all dead letters", {}),
    plan("of a source", { source: "stripe" }),
    plan("of a kind", { fingerprint: kind.fingerprint }),
    plan("of what no handler was there for", { status: "skipped" }),
    { name: "replays: newest", limitMs: LIST_LIMIT_MS, ask: async (tx) => (await listReplays(tx, REPLAYS_SHOWN)).length },
    { name: "replays: those that run", limitMs: LIST_LIMIT_MS, ask: async (tx) => (await runningReplays(tx, REPLAY_RUNS_WOKEN)).length },
    await largestReplay(db),
    step("of all dead letters", {}),
    step("of a source and type", { source: "shopify", type: "orders/paid" }),
    step("of a kind", { fingerprint: kind.fingerprint }),
    step("of what no handler was there for", { status: "skipped" }),
    {
      name: "replay end: whether something is left, where nothing is",
      limitMs: LIST_LIMIT_MS,
      changes: true,
      ask: async (tx) => ((await endIfDone(tx, NO_RUN, { ...run({}), opening: 0 })) ? 1 : 0),
    },
    {
      name: "alerts: kinds of failure",
      limitMs: LIST_LIMIT_MS,
      ask: async (tx) => (await readFailing(tx, ALERT_KINDS_LIMIT)).length,
    },
    { name: "alerts: what waits", limitMs: LIST_LIMIT_MS, ask: async (tx) => (await readWaiting(tx, nowMs - DAY_MS / 96)).open },
    {
      name: "alerts: each source against its habit",
      limitMs: LIST_LIMIT_MS,
      ask: async (tx) => (await readHabits(tx, [...SEED_SOURCES, "silent", "nobody"], nowMs, HABIT_EVENTS)).length,
    },
    retention("bytes of what was settled 25 days ago", (tx) => dropBytes(tx, 25 * DAY_MS, RETENTION_CHUNK_ROWS)),
    retention("rows of what was settled 25 days ago", (tx) => deleteRows(tx, 25, RETENTION_CHUNK_ROWS)),
    retention("rows, where none is old enough", (tx) => deleteRows(tx, 90, RETENTION_CHUNK_ROWS)),
    { name: "audit: newest", limitMs: LIST_LIMIT_MS, ask: async (tx) => (await listAudit(tx, null, PAGE_DEFAULT + 1)).length },
    ...[1, 6, 24, 30 * 24, 90 * 24].map((hours) => stats(hours, null, nowMs)),
    stats(24, "stripe", nowMs),
  ];
}

function list(name: string, filter: EventFilter, after: EventCursor | null = null, rows: number = PAGE_DEFAULT): Question {
  return { name, limitMs: LIST_LIMIT_MS, ask: async (tx) => (await listEvents(tx, filter, after, rows + 1)).length };
}

/** What a group replay would do. */
function plan(of: string, filter: EventFilter): Question {
  const order = { filter, withPermanent: false, ratePerSecond: 10, rowLimit: 1_000, reason: null };
  return {
    name: `replay plan: ${of}`,
    limitMs: LIST_LIMIT_MS,
    ask: async (tx) => ((await countReplayable(tx, order, Date.now())).matched > 0 ? 1 : 0),
  };
}

const NO_RUN = "00000000-0000-0000-0000-000000000000";
const run = (filter: EventFilter) => ({ actor: "ada", filter, withPermanent: true, ratePerSecond: 100, left: 1_000, opening: Date.now() });

/** A second's worth of a group replay at its highest rate. */
function step(of: string, filter: EventFilter): Question {
  return {
    name: `replay step: ${of}`,
    limitMs: LIST_LIMIT_MS,
    changes: true,
    ask: async (tx) => (await openSome(tx, NO_RUN, run(filter), REPLAY_RATE_LIMIT_PER_SECOND, Date.now())).length,
  };
}

function retention(of: string, ask: (tx: Tx) => Promise<number>): Question {
  return { name: `retention: ${of}`, limitMs: LIST_LIMIT_MS, changes: true, ask };
}

/** The page of a group replay: of the one that opened the most. */
async function largestReplay(db: Tx): Promise<Question> {
  const [{ id, replayed } = { id: NO_RUN, replayed: 0 }] = await db.execute<{ id: string; replayed: number }>(sql`
    select r.id, r.replayed
    from webhook_replays r
    order by r.replayed desc
    limit 1`);
  return {
    name: `replay: how its ${replayed.toLocaleString("en")} events stand`,
    limitMs: LIST_LIMIT_MS,
    ask: async (tx) => ((await readReplay(tx, id)) === null ? 0 : 1),
  };
}

async function cursorAt(db: Tx, share: number): Promise<EventCursor> {
  const rows = await db.execute<{ source: string; id: string; receivedAtMs: number }>(sql`
    select e.source, e.event_id as id, extract(epoch from e.received_at)::float8 * 1000 as "receivedAtMs"
    from webhook_events e
    order by e.received_at desc, e.source desc, e.event_id desc
    offset (select count(*) * ${share}::float8 from webhook_events)::int
    limit 1`);
  const [cursor] = rows;
  if (cursor === undefined) throw new Error("the ledger is empty");
  return cursor;
}

async function story(tx: Tx): Promise<number> {
  const key = SEED_NAMED.failed;
  const row = await readEvent(tx, key);
  const attempts = await readAttempts(tx, key, STORY_ATTEMPTS_LIMIT);
  const audit = await readAudit(tx, key, STORY_AUDIT_LIMIT);
  const bytes = await readBody(tx, key, PAYLOAD_SHOWN_BYTES);
  return attempts.length + audit.length + (row === null ? 0 : 1) + (bytes === null ? 0 : 1);
}

/** Without what the queue says of its backlog. */
function stats(hours: number, source: string | null, nowMs: number): Question {
  const window = statsWindow(hours, nowMs);
  const read = window.of === "events" ? readStats : readHours;
  const time = hours > 24 ? `${hours / 24} days` : `${hours} h`;
  return {
    name: `stats: ${time}${source === null ? "" : " of a source"}`,
    limitMs: hours === 24 ? DAY_LIMIT_MS : LIST_LIMIT_MS,
    ask: async (tx) => {
      const rows = await read(tx, window, source);
      await ledgerHealth(tx);
      return rows.length;
    },
  };
}
