/** Field cases of the consumer: what the event refers to, does not fit, waits for, or sits in front of. */
import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { configOf } from "../../../src/config.ts";
import { ATTEMPTS_LIMIT } from "../../../src/core/limits.ts";
import type { EventMessage } from "../../../src/core/message.ts";
import { openClient } from "../../../src/store/client.ts";
import { lock } from "../../../src/store/statements/lock.ts";
import { inTransaction } from "../../../src/store/transaction.ts";
import { sweep } from "../../../src/sweep.ts";
import { RetryAfterError, type Tx } from "#holdfast";
import { config, message } from "../../support/ledger.ts";
import { entries } from "../../support/own-app.ts";
import { credit, Field, on, T0_MS } from "./field.ts";

let field: Field;
beforeAll(async () => {
  field = await Field.open("work");
});

const many = (count: number, id = `evt_${crypto.randomUUID()}`): Promise<EventMessage[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => message({ source: "stripe", id: `${id}_${String(n).padStart(3, "0")}` })));
const idsOf = (messages: readonly EventMessage[]): string[] => messages.map(({ facts }) => facts.id);

describe("B45 the event refers to a record that our own app has not committed yet", () => {
  const waits = on("stripe", "*", async ({ tx, event, data }) => {
    const { order } = data.data.object as unknown as { order: string };
    const found = await tx.select().from(entries).where(eq(entries.reference, order));
    if (found.length === 0) throw new RetryAfterError(`order ${order} not found`, 45);
    await credit({ tx, event });
  });

  test("B45 and commits it 45 s later: tried again then, one effect, no dead letter", async () => {
    expect((await field.send("B45 r1")).status).toBe(202);
    const messages = await field.messages("evt_B_early");
    expect((await field.consume(messages, [waits])).retried).toEqual({ evt_B_early: 45 });
    await field.books.run("insert into test_entries values ('ord_late', 'u', 1)");
    await field.due("evt_B_early");
    await field.consume(messages, [waits]);
    expect(await field.row("evt_B_early")).toMatchObject({ status: "completed", totalAttempts: 1, lastError: null });
    expect(await field.books.balance("evt_B_early")).toBe(1);
  });

  test("B45 and never does: a dead letter that says which order", async () => {
    const never = await message({ source: "stripe", body: { id: "x", data: { object: { order: "ord_never" } } } });
    for (let attempt = 0; attempt < ATTEMPTS_LIMIT; attempt++) {
      await field.consume([never], [waits]);
      await field.due(never.facts.id);
    }
    expect(await field.row(never.facts.id)).toMatchObject({ status: "failed", lastError: "order ord_never not found" });
  });
});

describe("B46 a value does not fit the column", () => {
  const LONG = `evt_B_${"k".repeat(300)}`;
  test("B46 of ours: nothing is cut off an id, and two that begin alike are two", async () => {
    expect((await field.send("B46 r1")).body).toMatchObject({ eventId: LONG });
    const twin = await message({ source: "stripe", id: `${LONG.slice(0, 255)}twin` });
    await field.consume([...(await field.messages(LONG)), twin], [on("stripe", "*", credit)]);
    // A type over its bound of 256 bytes is none, rather than half of one; an id over its bound (512) would have been 400.
    expect(await field.row(LONG)).toMatchObject({ id: LONG, status: "completed", type: "unknown" });
    expect(await field.row(twin.facts.id)).toMatchObject({ status: "completed" });
  });
  test.each([
    ["a number", sql`insert into field_narrow (amount) values (3000000000)`, "22003"],
    ["a text", sql`insert into field_narrow (method) values ('automatic_async_extended')`, "22001"],
  ])("B46 of the user's, %s: one attempt, and a dead letter with its sqlstate", async (_what, insert, sqlstate) => {
    await field.books.run("create table if not exists field_narrow (amount int, method varchar(9))");
    const one = await message({ source: "stripe" });
    expect((await field.consume([one], [on("stripe", "*", async ({ tx }) => void (await tx.execute(insert)))])).acked).toEqual([one.facts.id]);
    expect(await field.row(one.facts.id)).toMatchObject({ status: "failed", reason: "permanent", attempts: 1 });
    expect(await field.books.attempts(one.facts.id)).toMatchObject([{ class: "permanent", sqlstate }]);
    expect(await field.count("field_narrow")).toBe(0);
  });
});

test("B47 a row lock held by someone else keeps the batch waiting until the platform kills it", async () => {
  const held = await message({ source: "stripe", id: "evt_B_lock" });
  const others = await many(9);
  await field.consume([held], [on("stripe", "*", () => Promise.reject(new Error("so that its row is there")))]);
  await field.books.run("update webhook_events set sent_at = now(), attempts = 0 where event_id = 'evt_B_lock'");
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holder = inTransaction(
    openClient(field.books.env.HYPERDRIVE, config.timings),
    { ...config.timings, idleInTransactionMs: 60_000 },
    async ({ db }) => {
      await lock(db, [{ source: "stripe", id: "evt_B_lock" }], "wait");
      locked.resolve();
      await released.promise;
    },
  );
  await locked.promise;
  const startMs = performance.now();
  const consuming = field.consume([held, ...others], [on("stripe", "*", credit)]);
  const ids = idsOf(others)
    .map((id) => `'${id}'`)
    .join();
  await expect.poll(() => field.count("test_balances", `user_id in (${ids})`)).toBe(9);
  const { acked, retried } = await consuming;
  expect(performance.now() - startMs).toBeLessThan(10_000);
  expect([acked.toSorted(), Object.keys(retried)]).toEqual([idsOf(others).toSorted(), ["evt_B_lock"]]);
  expect(retried["evt_B_lock"]).toBeGreaterThanOrEqual(1);
  // The holder's transaction alone is still open.
  expect(await field.count("pg_stat_activity", "datname = current_database() and state like 'idle in transaction%'")).toBe(1);
  released.resolve();
  await holder;
  await field.consume([held], [on("stripe", "*", credit)]);
  expect([await field.books.balance("evt_B_lock"), await field.row("evt_B_lock")]).toMatchObject([1, { status: "completed", attempts: 0 }]);
});

describe("B50 an outer client within the transaction: a pool deadlock, and effects that survive the rollback", () => {
  /** A function of the user's own, which is given the transaction: there is no other way to the database. */
  const addEntry = (tx: Tx, reference: string) => tx.insert(entries).values({ reference, userId: "u", amount: 1n });
  test("B50 ten at once whose handlers call on through what they were given, with one connection each", async () => {
    const messages = await many(10);
    const handler = on("stripe", "*", async ({ tx, event }) => void (await addEntry(tx, event.id)));
    const consumed = await Promise.all(messages.map((one) => field.consume([one], [handler])));
    expect(consumed.flatMap(({ acked }) => acked).toSorted()).toEqual(idsOf(messages).toSorted());
    expect(
      await field.count(
        "test_entries",
        `reference in (${idsOf(messages)
          .map((id) => `'${id}'`)
          .join()})`,
      ),
    ).toBe(10);
  });
  test("B50 a handler that writes and throws has written nothing", async () => {
    const one = await message({ source: "stripe" });
    const handler = on("stripe", "*", async ({ tx, event }) => {
      await addEntry(tx, event.id);
      throw new Error("after the write");
    });
    await field.consume([one], [handler]);
    expect(await field.count("test_entries", `reference = '${one.facts.id}'`)).toBe(0);
    expect(await field.row(one.facts.id)).toMatchObject({ status: "pending", attempts: 1 });
  });
});

test("B51 an exhausted event at the head blocks newer ones", async () => {
  // First in the order of keys, and so of work.
  const bad = await message({ source: "stripe", id: `a_${crypto.randomUUID()}` });
  const good = await many(50);
  const ran: string[] = [];
  const handler = on("stripe", "*", async ({ tx, event }) => {
    ran.push(event.id);
    if (event.id === bad.facts.id) throw new Error("always");
    await credit({ tx, event });
  });
  const acked: string[] = [];
  for (let start = 0; start < good.length; start += 10)
    acked.push(...(await field.consume([bad, ...good.slice(start, start + 10)], [handler])).acked);
  expect(acked.toSorted()).toEqual(idsOf(good).toSorted());
  for (let attempt = 1; attempt < ATTEMPTS_LIMIT; attempt++) {
    await field.due(bad.facts.id);
    await field.consume([bad], [handler]);
  }
  expect(await field.row(bad.facts.id)).toMatchObject({ status: "failed", attempts: ATTEMPTS_LIMIT });
  ran.length = 0;
  // Old enough for the sweep, were it pending.
  await field.books.run(`update webhook_events set sent_at = now() - interval '30 days' where event_id = '${bad.facts.id}'`);
  const swept: string[] = [];
  const EVENTS = {
    metrics: async () => ({ backlogCount: 0 }),
    sendBatch: async (all: Iterable<{ body: EventMessage }>) => void swept.push(...[...all].map(({ body }) => body.facts.id)),
  };
  const bindings = field.bindings({ EVENTS });
  await sweep(bindings, configOf(bindings));
  await field.consume([bad], [handler]);
  expect([swept.includes(bad.facts.id), ran]).toEqual([false, []]);
});

test("B74 the provider emits several ids for one logical fact", async () => {
  for (const name of ["r1", "r2"]) expect((await field.send(`B74 ${name}`)).outcome).toBe("queued");
  const handler = on("stripe", "*", async ({ tx, event, data }) => {
    const { id } = data.data.object as unknown as { id: string };
    const first = await tx.insert(entries).values({ reference: id, userId: "pi_17", amount: 10n }).onConflictDoNothing().returning();
    if (first.length > 0) await credit({ tx, event: { ...event, id } });
  });
  await field.consume([...(await field.messages("evt_B_n1")), ...(await field.messages("evt_B_n2"))], [handler]);
  expect([await field.row("evt_B_n1"), await field.row("evt_B_n2")]).toMatchObject([{ status: "completed" }, { status: "completed" }]);
  expect(await field.books.balance("pi_17")).toBe(1);
});

describe("B75 a date parameter blows up in the driver", () => {
  test("B75 in ours: no error, and the very instant comes back, whatever the server's zone is", async () => {
    const [row] = await field.books.run("select current_database() as name");
    await field.books.run(`alter database ${String(row?.["name"])} set timezone to 'Asia/Kolkata'`);
    const made = await message({ source: "stripe" });
    const one = { ...made, facts: { ...made.facts, receivedAtMs: T0_MS, occurredAtMs: T0_MS - 1 } };
    let zone: unknown;
    let seen: unknown;
    const handler = on("stripe", "*", async ({ tx, event }) => {
      zone = (await tx.execute(sql`show timezone`))[0];
      seen = [event.receivedAt, event.occurredAt];
    });
    await field.consume([one], [handler]);
    expect([zone, seen]).toEqual([{ TimeZone: "Asia/Kolkata" }, [new Date(T0_MS), new Date(T0_MS - 1)]]);
    expect(await field.row(one.facts.id)).toMatchObject({ status: "completed", receivedAtMs: T0_MS, occurredAtMs: T0_MS - 1 });
  });
  test("B75 in a handler's own SQL: a Date is an instant", async () => {
    const one = await message({ source: "stripe" });
    const at = new Date(T0_MS);
    let seen: unknown;
    const handler = on("stripe", "*", async ({ tx }) => {
      const day = sql`interval '1 day'`;
      seen = (await tx.execute(sql`select extract(epoch from ${at} + ${day} - ${day})::float8 as at, ${at} > now() as later`))[0];
    });
    await field.consume([one], [handler]);
    expect([await field.row(one.facts.id), seen]).toMatchObject([{ status: "completed" }, { at: T0_MS / 1_000, later: false }]);
  });
});

describe("B76 a lone surrogate makes jsonb fail, and cleaning deletes real emoji", () => {
  test("B76 the event is kept and handled: real ones are whole, and the bytes are as they came", async () => {
    expect((await field.send("B76 r1")).status).toBe(202);
    const [sent] = await field.messages("evt_B_sur");
    let seen: unknown;
    await field.consume([sent], [on("stripe", "*", async ({ data }) => void (seen = data))]);
    expect(seen).toMatchObject({ good: "\u{1f600}", raw: "\u{1f600}", bad: "cut \ud83d", bad2: "\udc00x" });
    expect(await field.books.run("select encode(body, 'hex') as hex from webhook_events where event_id = 'evt_B_sur'")).toEqual([
      { hex: sent?.bytes?.toHex() },
    ]);
    expect(sent?.bytes).toHaveLength(118);
  });
  test("B76 a handler that puts it into jsonb fails at one attempt, permanently", async () => {
    const one = await message({ source: "stripe", bytes: (await field.messages("evt_B_sur"))[0]?.bytes ?? new Uint8Array() });
    await field.consume(
      [one],
      [on("stripe", "*", async ({ tx, event }) => void (await tx.execute(sql`select ${new TextDecoder().decode(event.bytes)}::jsonb`)))],
    );
    expect(await field.row(one.facts.id)).toMatchObject({ status: "failed", reason: "permanent", attempts: 1, hasBody: true });
    expect(await field.books.attempts(one.facts.id)).toMatchObject([{ sqlstate: "22P02" }]);
  });
});
