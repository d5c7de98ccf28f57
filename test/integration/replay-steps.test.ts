/** A group replay's steps under what production does to them: a queue that refuses, a ledger that is down, an alarm that is lost, rows that others hold. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { PermanentError, type RunContext } from "#holdfast";
import { configOf } from "../../src/config.ts";
import type { ReplayRunView } from "../../src/core/operators.ts";
import type { EventMessage } from "../../src/core/message.ts";
import type { ReplayRun } from "../../src/replay-run/replay-run.ts";
import { wakeReplays } from "../../src/replay-run/wake.ts";
import { openClient } from "../../src/store/client.ts";
import { sweep } from "../../src/sweep.ts";
import { control } from "../support/control.ts";
import { config, consume, type Ledger, ledgerOn, message, unique } from "../support/ledger.ts";
import { auditOf, call, eventPath } from "../support/operators.ts";
import { entries, on, TABLES_SQL } from "../support/own-app.ts";

let books: Ledger;
let sent: EventMessage[] = [];
beforeAll(async () => {
  // The object's own: it opens its connections itself.
  books = ledgerOn(env.HYPERDRIVE);
  for (const statement of TABLES_SQL) await books.run(statement);
  control.queue = async (batch) => batch.ackAll();
});
beforeEach(() => {
  sent = [];
});

const queue = {
  metrics: async () => ({ backlogCount: 0, backlogBytes: 0 }),
  sendBatch: async (messages: Iterable<MessageSendRequest>) => {
    for (const one of messages) sent.push(one.body as EventMessage);
  },
} as unknown as Queue;
const refusing = { sendBatch: () => Promise.reject(new Error("queue is full")) } as unknown as Queue;
const away = {
  connectionString: env.HYPERDRIVE.connectionString,
  connect: () => {
    throw new Error("connect ECONNREFUSED");
  },
} as unknown as Hyperdrive;

const broken = on("generic", "*", () => Promise.reject(new PermanentError("broken")));
/** Inserts a row for each run of it. */
const pay = async ({ tx, event }: RunContext<unknown>) => {
  await tx.insert(entries).values({ reference: crypto.randomUUID(), userId: event.id, amount: 1n });
};
const paying = on("generic", "*", pay);
async function deadLetters(count: number, type: string, ids: readonly string[] = []): Promise<readonly string[]> {
  const names = [...ids, ...Array.from({ length: count - ids.length }, () => unique("evt"))];
  const made: EventMessage[] = [];
  for (const id of names) made.push(await message({ id, type, opening: Date.now() - 60_000 }));
  await consume(books, made, [broken]);
  return names;
}

const start = async (filter: object, more: object = {}) => {
  const asked = { filter, withPermanent: true, ratePerSecond: 100, dryRun: false, ...more };
  const { status, body } = await call("POST", "/replays", asked, books.env);
  expect(status).toBe(201);
  const { id } = body as ReplayRunView;
  // Its first alarm is the test's to ring.
  await runInDurableObject(env.REPLAY_RUNS.getByName(id), (_run, state) => state.storage.deleteAlarm());
  return id;
};
/** The object's alarm, with these bindings in place of its own. */
const step = (id: string, bindings: Partial<Env> = {}) =>
  runInDurableObject(env.REPLAY_RUNS.getByName(id), async (run: ReplayRun, state) => {
    const own = Object.getOwnPropertyDescriptor(run, "env") ?? { value: env, configurable: true, writable: true };
    Object.defineProperty(run, "env", { configurable: true, writable: true, value: { ...env, EVENTS: queue, ...bindings } });
    await run.alarm();
    Object.defineProperty(run, "env", own);
    return state.storage.getAlarm();
  });
const alarmOf = (id: string) => runInDurableObject(env.REPLAY_RUNS.getByName(id), (_run, state) => state.storage.getAlarm());
const seen = async (id: string) => (await call("GET", `/replays/${id}`, undefined, books.env)).body as ReplayRunView;
const effectsOf = async (id: string) => {
  const rows = await books.db().execute<{ count: number }>(sql`select count(*)::int as count from test_entries where user_id = ${id}::text`);
  return rows[0]?.count;
};
const sentIds = () => sent.map(({ facts }) => facts.id);
/** Opened, with as many audit rows as openings. */
const openedOnce = async (ids: readonly string[]) => {
  for (const id of ids) {
    expect(await books.row(id), id).toMatchObject({ status: "pending", replays: 1 });
    expect(await auditOf(books, id), id).toHaveLength(1);
  }
};

describe("a step", () => {
  test("opens its rate's worth, oldest first, and no more than the run's limit", async () => {
    const type = unique("rate");
    const ids = await deadLetters(7, type);
    for (const [index, id] of ids.entries()) {
      await books.run(`update webhook_events set received_at = now() - interval '${index} minutes' where event_id = '${id}'`);
    }
    const oldestFirst = ids.toReversed();
    const id = await start({ type }, { ratePerSecond: 2, rowLimit: 5 });
    const seconds = config.timings.replayPeriodMs / 1_000;
    expect(seconds).toBe(1);
    await step(id);
    expect(sentIds().toSorted()).toEqual(oldestFirst.slice(0, 2).toSorted());
    await step(id);
    expect(await seen(id)).toMatchObject({ status: "running", replayed: 4 });
    expect(await step(id)).toBeNull();
    expect(await seen(id)).toMatchObject({ status: "completed", replayed: 5, willReplay: 5, matched: 7 });
    expect(sentIds().toSorted()).toEqual(oldestFirst.slice(0, 5).toSorted());
    await openedOnce(oldestFirst.slice(0, 5));
    for (const left of oldestFirst.slice(5)) expect(await books.row(left)).toMatchObject({ status: "failed", replays: 0 });
  });

  test("whose messages the queue refuses goes on: the sweep sends what was opened, and each event has one effect", async () => {
    const type = unique("refused");
    const ids = await deadLetters(3, type);
    const id = await start({ type });
    await step(id, { EVENTS: refusing });
    expect(await seen(id)).toMatchObject({ status: "completed", replayed: 3, outcomes: { pending: 3 } });
    await openedOnce(ids);
    // What a death between the commit and the send leaves behind is the same: rows that are open, and no message.
    const ms = config.timings.sweepAgeMs * 2;
    await books.run(
      `update webhook_events set sent_at = now() - interval '${ms} milliseconds', opening = (extract(epoch from now()) * 1000)::bigint - ${ms} where type = '${type}'`,
    );
    await sweep({ ...books.env, EVENTS: queue }, configOf(books.env));
    expect(
      sentIds()
        .filter((one) => ids.includes(one))
        .toSorted(),
    ).toEqual(ids.toSorted());
    const swept = sent.filter(({ facts }) => ids.includes(facts.id));
    await consume(books, [...swept, ...swept], [paying]);
    for (const one of ids) {
      expect(await effectsOf(one)).toBe(1);
      expect(await books.row(one)).toMatchObject({ status: "completed", replays: 1 });
    }
  });

  test("that the ledger does not answer throws nothing, comes again ever later, and the run ends once the ledger is back", async () => {
    const type = unique("outage");
    const ids = await deadLetters(2, type);
    const id = await start({ type });
    const waits: number[] = [];
    for (let round = 0; round < 9; round++) waits.push(((await step(id, { HYPERDRIVE: away })) ?? 0) - Date.now());
    const { replayRetryMs, replayRetryCapMs } = config.timings;
    for (const [index, wait] of waits.entries()) {
      const due = Math.min(replayRetryMs * 2 ** index, replayRetryCapMs);
      expect(wait, `wait ${index}`).toBeGreaterThan(due - 1_000);
      expect(wait, `wait ${index}`).toBeLessThanOrEqual(due);
    }
    expect(sent).toEqual([]);
    expect(await seen(id)).toMatchObject({ status: "running", replayed: 0 });
    expect(await step(id)).toBeNull();
    expect(await seen(id)).toMatchObject({ status: "completed", replayed: 2, lastError: null });
    expect(sentIds().toSorted()).toEqual(ids.toSorted());
    await openedOnce(ids);
  });

  test("is armed again before it asks the ledger anything, so that whatever kills it, there is a next", async () => {
    const type = unique("armed");
    await deadLetters(1, type);
    const id = await start({ type });
    let armed: Promise<number | null> | undefined;
    const spied = {
      connectionString: env.HYPERDRIVE.connectionString,
      connect: () => {
        armed ??= alarmOf(id);
        throw new Error("killed here");
      },
    } as unknown as Hyperdrive;
    await step(id, { HYPERDRIVE: spied });
    expect(await armed).not.toBeNull();
  });

  test("whose audit cannot be written opens nothing, says why on the run, and is through when it can", async () => {
    const type = unique("audit");
    const ids = await deadLetters(2, type);
    const id = await start({ type });
    await books.run(`create function no_audit() returns trigger language plpgsql as $$ begin raise exception 'audit is broken'; end $$`);
    await books.run(
      `create trigger no_audit before insert on webhook_audit for each row when (new.event_id = '${ids[1]}') execute function no_audit()`,
    );
    expect(await step(id)).not.toBeNull();
    expect(sent).toEqual([]);
    expect(await seen(id)).toMatchObject({ status: "running", replayed: 0, lastError: expect.stringContaining("audit is broken") });
    for (const one of ids) expect(await books.row(one)).toMatchObject({ status: "failed", replays: 0 });
    await books.run("drop function no_audit cascade");
    await step(id);
    expect(await seen(id)).toMatchObject({ status: "completed", replayed: 2, lastError: null });
    await openedOnce(ids);
  });

  test("leaves a row that somebody holds to the next, and the run does not end without it", async () => {
    const type = unique("held");
    const [held = "", free = ""] = await deadLetters(2, type);
    const id = await start({ type });
    const other = openClient(env.HYPERDRIVE, config.timings);
    await other.db.transaction(async (tx) => {
      await tx.execute(sql`select from webhook_events where event_id = ${held}::text for update`);
      expect(await step(id)).not.toBeNull();
      expect(sentIds()).toEqual([free]);
      expect(await seen(id)).toMatchObject({ status: "running", replayed: 1 });
    });
    other.abandon("the row is free");
    expect(await step(id)).toBeNull();
    expect(sentIds()).toEqual([free, held]);
    expect(await seen(id)).toMatchObject({ status: "completed", replayed: 2 });
    await openedOnce([held, free]);
  });
});

describe("the cron", () => {
  const wake = () => wakeReplays(books.db(), env, configOf(books.env));

  test("wakes a run whose alarm was lost or is overdue, and leaves one alone that is armed", async () => {
    const type = unique("lost");
    await deadLetters(1, type);
    const id = await start({ type });
    const object = env.REPLAY_RUNS.getByName(id);
    await wake();
    expect(await alarmOf(id)).not.toBeNull();
    const armed = Date.now() + 3_600_000;
    await runInDurableObject(object, (_run, state) => state.storage.setAlarm(armed));
    await wake();
    expect(await alarmOf(id)).toBe(armed);
    // The clock moves, for an alarm in the past rings at once.
    const now = vi.spyOn(Date, "now").mockReturnValue(armed + config.timings.alarmOverdueMs + 1);
    await wake();
    now.mockRestore();
    expect(await alarmOf(id)).not.toBe(armed);
  });

  test("leaves a run alone that is over", async () => {
    const type = unique("over");
    await deadLetters(1, type);
    const id = await start({ type });
    await step(id);
    expect(await seen(id)).toMatchObject({ status: "completed" });
    await wake();
    expect(await alarmOf(id)).toBeNull();
    const kept = await runInDurableObject(env.REPLAY_RUNS.getByName(id), (_run, state) => [...state.storage.kv.list()]);
    expect(kept, "an object that keeps nothing is none that anybody pays for").toEqual([]);
  });
});

describe("two at once", () => {
  test("runs over the same events open each of them once, and both end", async () => {
    const type = unique("overlap");
    const ids = await deadLetters(6, type);
    const [one, two] = [await start({ type }, { ratePerSecond: 2 }), await start({ type }, { ratePerSecond: 2 })];
    for (let round = 0; round < 4; round++) await Promise.all([step(one), step(two)]);
    const [first, second] = [await seen(one), await seen(two)];
    expect([first.status, second.status]).toEqual(["completed", "completed"]);
    expect(first.replayed + second.replayed).toBe(6);
    expect(sentIds().toSorted()).toEqual(ids.toSorted());
    await openedOnce(ids);
  });

  test("steps of one run open no more than its limit", async () => {
    const type = unique("steps");
    await deadLetters(6, type);
    const id = await start({ type }, { rowLimit: 3 });
    await Promise.all([step(id), step(id), step(id)]);
    expect(await seen(id)).toMatchObject({ status: "completed", replayed: 3 });
    expect(sent).toHaveLength(3);
  });

  test("two operators' orders for one event and a run over it are one opening, one audit row and one effect", async () => {
    const type = unique("beside");
    const ids = await deadLetters(5, type);
    const id = await start({ type });
    const orders = ids.flatMap((one) => [0, 1].map(() => call("POST", eventPath(one, "replay"), {}, { ...books.env, EVENTS: queue })));
    const [answers] = await Promise.all([Promise.all(orders), step(id)]);
    for (let round = 0; round < 3 && (await seen(id)).status === "running"; round++) await step(id);
    expect(answers.every(({ status }) => status === 202 || status === 409)).toBe(true);
    expect((await seen(id)).replayed + answers.filter(({ status }) => status === 202).length).toBe(5);
    await openedOnce(ids);
    await Promise.all([consume(books, sent, [paying]), consume(books, sent, [paying])]);
    for (const one of ids) expect(await effectsOf(one)).toBe(1);
  });
});

describe("by its filter, a run takes", () => {
  test("what was skipped because nothing handled it, and nothing else that was skipped", async () => {
    const type = unique("skipped");
    const made = [await message({ type, opening: Date.now() - 60_000 }), await message({ type, opening: Date.now() - 60_000 })];
    await consume(books, made, [on("generic", "another.type", async () => undefined)]);
    const [unhandled = "", discarded = ""] = made.map(({ facts }) => facts.id);
    await books.run(`update webhook_events set reason = 'operator' where event_id = '${discarded}'`);
    const id = await start({ type, status: "skipped" });
    await step(id);
    expect(await seen(id)).toMatchObject({ status: "completed", matched: 1, replayed: 1 });
    expect(await books.row(discarded)).toMatchObject({ status: "skipped", replays: 0 });
    await consume(books, sent, [paying]);
    expect(await books.row(unhandled)).toMatchObject({ status: "completed" });
    expect(await effectsOf(unhandled)).toBe(1);
  });

  test("an event whose after was given up, whose after alone runs again", async () => {
    const type = unique("after");
    const made = await message({ type, opening: Date.now() - 60_000 });
    const afters: string[] = [];
    const handler = on("generic", "*", {
      run: pay,
      async after({ event }) {
        afters.push(event.id);
      },
    });
    const one = made.facts.id;
    await consume(books, [made], [handler]);
    await books.run(`update webhook_events set after = 'failed', after_attempts = 5 where event_id = '${one}'`);
    afters.length = 0;
    const id = await start({ type });
    await step(id);
    expect(await books.row(one)).toMatchObject({ status: "completed", after: "owed" });
    await consume(books, sent, [handler]);
    expect(afters).toEqual([one]);
    expect(await effectsOf(one)).toBe(1);
    expect(await seen(id)).toMatchObject({ status: "completed", replayed: 1 });
  });

  test("ids and types that are hostile for what they are: text", async () => {
    const marker = unique("hostile");
    const hostile = [`${marker}'; drop table webhook_events; --`, `${marker}%`, `${marker}_"\\ \u202e<script>`, `--${marker}`];
    const type = `${marker}'); delete from webhook_replays; --`;
    await deadLetters(hostile.length, type, hostile);
    const id = await start({ type, idPrefix: marker });
    await step(id);
    expect(await seen(id)).toMatchObject({ status: "completed", matched: 3, replayed: 3 });
    await openedOnce(hostile.slice(0, 3));
    expect(await books.row(`--${marker}`)).toMatchObject({ status: "failed", replays: 0 });
    expect((await call("GET", `/events?prefix=${encodeURIComponent(`${marker}%`)}`, undefined, books.env)).body).toMatchObject({
      events: [{ id: `${marker}%` }],
    });
  });
});
