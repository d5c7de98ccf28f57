/** A delivery that carries several events: each is recorded, handled, failed and replayed on its own, with the bytes that were sent. */
import { exports } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { EventMessage } from "../../src/core/message.ts";
import { openClient } from "../../src/store/client.ts";
import { lock } from "../../src/store/statements/lock.ts";
import { replay } from "../../src/store/statements/replay.ts";
import { inTransaction } from "../../src/store/transaction.ts";
import { sweep } from "../../src/sweep.ts";
import { PermanentError, type Route, skip } from "#holdfast";
import { balances, entries, on } from "../support/own-app.ts";
import { config, consume, type Consumed, type Ledger, ledger, message, unique } from "../support/ledger.ts";
import { ORDER } from "../support/operators.ts";
import { control } from "../support/control.ts";
import { delivery, fetchWorker } from "../support/requests.ts";

let books: Ledger;
/** What the consumer has put on the queue. */
let sent: EventMessage[] = [];
let refuses = false;
/** The claims that were asked for. */
let claims: string[] = [];

beforeAll(async () => {
  books = await ledger("split");
  const EVENTS = {
    metrics: async () => ({ backlogCount: 0, backlogBytes: 0 }),
    sendBatch: async (messages: Iterable<MessageSendRequest>) => {
      if (refuses) throw new Error("queue is full");
      const batch = [...messages];
      if (batch.length > 100) throw new Error("a batch of more than 100");
      for (const one of batch) sent.push(one.body as EventMessage);
    },
  } as unknown as Queue;
  const { CLAIMS } = books.env;
  const observed = { getByName: (name: string) => (claims.push(name), CLAIMS.getByName(name)) } as unknown as Env["CLAIMS"];
  books = { ...books, env: { ...books.env, EVENTS, CLAIMS: observed } };
});
beforeEach(() => {
  sent = [];
  refuses = false;
  claims = [];
});

const credit = on("batches", "*", async ({ tx, data, event }) => {
  const { user, poison } = data as { user: string; poison?: boolean };
  await tx.insert(entries).values({ reference: event.key, userId: user, amount: 1n });
  await tx
    .insert(balances)
    .values({ userId: user, balance: 1n })
    .onConflictDoUpdate({ target: balances.userId, set: { balance: sql`${balances.balance} + 1` } });
  if (poison === true) throw new PermanentError("this one never works");
});

interface Item {
  readonly id?: string;
  readonly user: string;
  readonly [field: string]: unknown;
}

const source = "batches";
const carrying = (items: readonly Item[], options: Parameters<typeof message>[0] = {}) =>
  message({ source, id: `delivery:${unique("req")}`, type: "delivery", body: { events: items }, ...options });
const items = (n: number, user: string): Item[] => Array.from({ length: n }, () => ({ id: unique("item"), type: "thing.made", user }));
/** Runs the deliveries, then what they put on the queue. */
const through = async (messages: readonly EventMessage[], routes: readonly Route[] = [credit]): Promise<Consumed> => {
  const consumed = await consume(books, messages, routes);
  await work(routes);
  return consumed;
};
const work = async (routes: readonly Route[] = [credit]): Promise<void> => {
  while (sent.length > 0) await consume(books, sent.splice(0, 100), routes);
};
const row = (id: string | undefined) => books.row(id ?? "", source);
const bodyOf = async (id: string): Promise<string> => {
  const [found] = await books.run(`select encode(body, 'hex') as hex from webhook_events where source = '${source}' and event_id = '${id}'`);
  return String(found?.["hex"]);
};
const hex = (text: string): string => [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const byText = (left: unknown, right: unknown): number => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1);

describe("a delivery of three events", () => {
  test("has three effects, and is completed", async () => {
    const user = unique("user");
    const three = items(3, user).map((item) => ({ ...item, at: 1_700_000_000 }));
    const one = await carrying(three, { headers: { "x-request-id": "r", "content-type": "application/json", "holdfast-delivery": "forged" } });
    expect(await consume(books, [one], [credit])).toEqual({ acked: [one.facts.id], retried: {} });
    expect(await row(one.facts.id)).toMatchObject({ status: "completed", reason: "split: 3 events", starts: 0, duplicates: 0 });
    for (const item of three) {
      expect(await row(item.id)).toMatchObject({
        status: "pending",
        type: "thing.made",
        opening: one.opening,
        starts: 0,
        attempts: 0,
        duplicates: 0,
        mismatches: 0,
        receivedAtMs: one.facts.receivedAtMs,
        occurredAtMs: 1_700_000_000_000,
        contentType: "application/json",
        headers: { "x-request-id": "r", "content-type": "application/json", "holdfast-delivery": one.facts.id },
      });
    }
    expect(sent.map((each) => [each.facts.id, each.bytes, each.opening, each.direct]).toSorted(byText)).toEqual(
      three.map((item) => [item.id, null, one.opening, false]).toSorted(byText),
    );
    await work();
    expect(await books.balance(user)).toBe(3);
    for (const item of three) expect(await row(item.id)).toMatchObject({ status: "completed", reason: null });
    // The delivery's claim alone: nobody ever claimed the events in it, and telling a claim makes it.
    expect(new Set(claims)).toEqual(new Set([`batches:${one.facts.id}`]));
  });

  test("delivered twice has three effects: what is split is not split again", async () => {
    const user = unique("user");
    const three = items(3, user);
    const one = await carrying(three);
    await through([one]);
    await through([one, { ...one, opening: one.opening + 10 }]);
    expect(sent).toEqual([]);
    expect(await books.balance(user)).toBe(3);
    expect(await row(three[0]?.id)).toMatchObject({ duplicates: 0 });
  });

  test("beside other events and other deliveries of one batch, each is split", async () => {
    const user = unique("user");
    const deliveries = await Promise.all(Array.from({ length: 20 }, () => carrying(items(3, user))));
    const others = await Promise.all(Array.from({ length: 5 }, () => message({ source, body: { user } })));
    const { acked } = await through([...others, ...deliveries]);
    expect(acked).toHaveLength(25);
    expect(await books.balance(user)).toBe(65);
  });

  test("is split also when its last run never ended, and when it is too large for a message", async () => {
    const user = unique("user");
    const suspect = await carrying(items(3, user));
    await consume(books, [suspect], [credit]);
    await books.run(`update webhook_events set status = 'pending', starts = 1, settled_at = null where event_id = '${suspect.facts.id}'`);
    sent = [];
    await through([suspect]);
    expect(await row(suspect.facts.id)).toMatchObject({ status: "completed", reason: "split: 3 events", starts: 0 });

    const large = await carrying(items(3, user).map((item) => ({ ...item, pad: "x".repeat(30_000) })));
    expect(large.bytes).toBeNull();
    const whole = new TextEncoder().encode(JSON.stringify({ events: items(3, user).map((item) => ({ ...item, pad: "x".repeat(30_000) })) }));
    const known = await message({ source, id: large.facts.id, type: "delivery", bytes: whole });
    await books.env.CLAIMS.getByName(`batches:${large.facts.id}`).deliver({ facts: known.facts, bytes: whole });
    await through([known]);
    expect(await row(large.facts.id)).toMatchObject({ status: "completed", reason: "split: 3 events" });
    expect(await books.balance(user)).toBe(6);
  });
});

describe("the same event", () => {
  test("in two deliveries has one effect, counted as a duplicate", async () => {
    const user = unique("user");
    const [shared, first, second] = items(3, user);
    if (shared === undefined || first === undefined || second === undefined) throw new Error("three items");
    await through([await carrying([shared, first])]);
    const later = await carrying([second, shared]);
    await consume(books, [later], [credit]);
    // Settled: no message for it.
    expect(sent.map((one) => one.facts.id)).toEqual([second.id]);
    await work();
    expect(await books.balance(user)).toBe(3);
    expect(await row(shared.id)).toMatchObject({ status: "completed", duplicates: 1, mismatches: 0 });
  });

  test("in two deliveries of one batch has one effect, under the newer opening", async () => {
    const user = unique("user");
    const [shared] = items(1, user);
    if (shared === undefined) throw new Error("an item");
    const two = [await carrying([shared]), await carrying([shared], { opening: Date.now() + 1_000 })];
    await consume(books, two, [credit]);
    expect(await row(shared.id)).toMatchObject({ status: "pending", duplicates: 1, opening: two[1]?.opening });
    expect(sent).toHaveLength(1);
    await work();
    expect(await books.balance(user)).toBe(1);
  });

  test("twice in one delivery: the first counts, and other bytes under its id are seen", async () => {
    const user = unique("user");
    const [one] = items(1, user);
    if (one === undefined) throw new Error("an item");
    const twice = await carrying([one, { ...one, user: unique("somebody else") }, one]);
    await through([twice]);
    expect(await row(twice.facts.id)).toMatchObject({ reason: "split: 1 events" });
    expect(await row(one.id)).toMatchObject({ status: "completed", duplicates: 0, mismatches: 1 });
    expect(await books.balance(user)).toBe(1);
  });

  test("with other bytes in a later delivery keeps the first, and counts the mismatch", async () => {
    const user = unique("user");
    const [one] = items(1, user);
    if (one === undefined) throw new Error("an item");
    await through([await carrying([one])]);
    await through([await carrying([{ ...one, user: unique("somebody else") }])]);
    expect(await row(one.id)).toMatchObject({ duplicates: 1, mismatches: 1 });
    expect(await bodyOf(one.id ?? "")).toBe(hex(JSON.stringify(one)));
    expect(await books.balance(user)).toBe(1);
  });

  test("that failed is opened again by a newer delivery, and not by an older one", async () => {
    const user = unique("user");
    const [one] = items(1, user);
    if (one === undefined) throw new Error("an item");
    const broken = on("batches", "*", () => Promise.reject(new PermanentError("broken")));
    const first = await carrying([one]);
    await through([first], [broken]);
    expect(await row(one.id)).toMatchObject({ status: "failed" });
    await consume(books, [await carrying([one], { opening: first.opening - 5 })], [credit]);
    expect(sent).toEqual([]);
    expect(await row(one.id)).toMatchObject({ status: "failed", opening: first.opening });
    const later = await carrying([one], { opening: first.opening + 5_000 });
    await consume(books, [later], [credit]);
    expect(await row(one.id)).toMatchObject({ status: "pending", reason: null, attempts: 0, starts: 0, opening: later.opening, settledAtMs: null });
    await work();
    expect(await row(one.id)).toMatchObject({ status: "completed", totalAttempts: 1, duplicates: 2 });
    expect(await books.balance(user)).toBe(1);
  });

  test("that another consumer has at work holds up nobody, and is opened again by its message if it fails there", async () => {
    const user = unique("user");
    const [held, other] = items(2, user);
    if (held === undefined || other === undefined) throw new Error("two items");
    const first = await carrying([held]);
    await consume(books, [first], [credit]);
    sent = [];
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: locked, resolve: hasLocked } = Promise.withResolvers<void>();
    const holder = inTransaction(
      openClient(books.env.HYPERDRIVE, config.timings),
      { ...config.timings, idleInTransactionMs: 60_000 },
      async ({ db }) => {
        await lock(db, [{ source, id: held.id ?? "" }], "wait");
        hasLocked();
        await released;
        await db.execute(sql`update webhook_events set status = 'failed', settled_at = now() where event_id = ${held.id ?? ""}`);
      },
    );
    await locked;
    const later = await carrying([held, other], { opening: first.opening + 5_000 });
    await consume(books, [later], [credit]);
    expect(await row(later.facts.id)).toMatchObject({ status: "completed" });
    release();
    await holder;
    await work();
    expect(await row(held.id)).toMatchObject({ status: "completed", opening: later.opening });
    expect(await books.balance(user)).toBe(2);
  });
});

describe("an event of a delivery", () => {
  test("that is poisoned dead-letters alone, and is replayed alone", async () => {
    const user = unique("user");
    const [good, bad, fine] = items(3, user);
    if (good === undefined || bad === undefined || fine === undefined) throw new Error("three items");
    const one = await carrying([good, { ...bad, poison: true }, fine]);
    await through([one]);
    expect(await books.balance(user)).toBe(2);
    expect(await row(one.facts.id)).toMatchObject({ status: "completed" });
    expect(await row(bad.id)).toMatchObject({ status: "failed", reason: "permanent", hasBody: true, lastError: "this one never works" });
    const replayed = await replay(books.db(), { source, id: bad.id ?? "" }, ORDER, Date.now());
    expect(replayed).toMatchObject({ what: "event" });
    const mended = on("batches", "*", async ({ tx, data }) => {
      await tx
        .update(balances)
        .set({ balance: sql`${balances.balance} + 10` })
        .where(sql`${balances.userId} = ${(data as Item).user}`);
    });
    const known = await row(bad.id);
    if (known === null) throw new Error("a row");
    await consume(books, [await message({ source, id: known.id, opening: replayed?.opening ?? 0, bare: true, headers: known.headers })], [mended]);
    expect(await row(bad.id)).toMatchObject({ status: "completed", replays: 1 });
    expect(await books.balance(user)).toBe(12);
  });

  test("without a usable id is named by its bytes: the same bytes are one event", async () => {
    const user = unique("user");
    const nameless = [{ user }, { id: `delivery:${unique("x")}`, user }, { id: "", user }, { id: " ", user }, { id: "a\0b", user }];
    const one = await carrying([...nameless, { user }]);
    await through([one]);
    expect(await row(one.facts.id)).toMatchObject({ reason: "split: 5 events" });
    const rows = await books.run(
      `select event_id, digest from webhook_events where source = '${source}' and headers->>'holdfast-delivery' = '${one.facts.id}'`,
    );
    expect(rows).toHaveLength(5);
    for (const each of rows) expect(each["event_id"]).toBe(`sha256:${String(each["digest"])}`);
    await through([await carrying([{ user }])]);
    expect(await books.balance(user)).toBe(5);
  });

  test("keeps its bytes: escapes, line ends, what is not ASCII, numbers that no double holds", async () => {
    const written = [
      `{ "id" : "${unique("item")}" ,\r\n\t"user":"\\u0075\\/\\"]}", "n" : 12345678901234567890.10 , "e":1E+400}`,
      `{"user":"żółć 日本 🙂","id":"${unique("item")}","lone":"\\ud800","a":[ ]\n}`,
    ];
    const one = await message({
      source,
      id: `delivery:${unique("req")}`,
      bytes: new TextEncoder().encode(`\r\n{"events" : [\r\n${written.join("\n ,\t")} ] }\n`),
    });
    const seen = new Map<string, string>();
    await through([one], [on("batches", "*", async ({ event }) => void seen.set(event.id, new TextDecoder().decode(event.bytes)))]);
    expect([...seen.values()].toSorted()).toEqual(written.toSorted());
    for (const text of written) {
      const { id } = JSON.parse(text) as { id: string };
      expect(await bodyOf(id)).toBe(hex(text));
      const digest = [...new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))];
      expect(await row(id)).toMatchObject({ digest: digest.map((byte) => byte.toString(16).padStart(2, "0")).join("") });
    }
  });

  test("with an id that is a number too large for a double keeps every digit", async () => {
    const at = Math.floor(Math.random() * 1e9);
    const [left, right] = [`9007199254740993${at}1`, `9007199254740993${at}2`];
    await through(
      [
        await message({
          source,
          id: `delivery:${unique("req")}`,
          bytes: new TextEncoder().encode(`{"events":[{"id":${left},"user":"u"},{"id":${right},"user":"u"}]}`),
        }),
      ],
      [on("batches", "*", async () => skip("seen"))],
    );
    expect([await row(left), await row(right)]).toMatchObject([{ status: "skipped" }, { status: "skipped" }]);
  });
});

describe("a delivery", () => {
  test("that its source does not want is skipped as other_mode, and not split", async () => {
    const [live, test] = [unique("live"), unique("test")];
    const bodyOf = (id: string, isLive: boolean) => new TextEncoder().encode(JSON.stringify({ livemode: isLive, events: [{ id, user: "u" }] }));
    const seen: string[] = [];
    const both = await Promise.all(
      [bodyOf(live, true), bodyOf(test, false)].map((bytes) => message({ source: "batches-live", id: `delivery:${unique("req")}`, bytes })),
    );
    await through(both, [on("batches-live", "*", async ({ event }) => void seen.push(event.id))]);
    expect(seen).toEqual([live]);
    const [wanted, other] = both;
    expect(await books.row(wanted?.facts.id ?? "", "batches-live")).toMatchObject({ status: "completed", reason: "split: 1 events" });
    expect(await books.row(other?.facts.id ?? "", "batches-live")).toMatchObject({ status: "skipped", reason: "other_mode" });
  });

  test("without events is completed, and says so", async () => {
    const one = await carrying([]);
    expect((await through([one])).acked).toEqual([one.facts.id]);
    expect(await row(one.facts.id)).toMatchObject({ status: "completed", reason: "split: 0 events" });
  });

  test.each([
    ["without the array", '{"other":[]}', 'the body has no array of events at "events"'],
    ["with something else in its place", '{"events":"none"}', 'the body has no array of events at "events"'],
    ["that is not JSON", '{"events":[', "the body is not JSON in UTF-8, so the events in it cannot be told apart"],
    [
      "with more events than are split",
      `{"events":[${Array(10_001).fill("1").join(",")}]}`,
      "the delivery carries 10001 events; 10000 are the most that are split",
    ],
  ])("%s is a dead letter with its bytes, at its first attempt", async (_what, text, error) => {
    const good = await carrying(items(1, unique("user")));
    const one = await message({ source, id: `delivery:${unique("req")}`, type: "delivery", bytes: new TextEncoder().encode(text) });
    const { acked } = await through([one, good]);
    expect(acked.toSorted()).toEqual([one.facts.id, good.facts.id].toSorted());
    expect(await row(one.facts.id)).toMatchObject({ status: "failed", reason: "permanent", totalAttempts: 1, hasBody: true, lastError: error });
    expect(await bodyOf(one.facts.id)).toBe(hex(text));
    expect(await row(good.facts.id)).toMatchObject({ status: "completed", totalAttempts: 0 });
  });

  test("whose events the queue refuses is acknowledged, and the sweep sends them", async () => {
    const user = unique("user");
    const three = items(3, user);
    refuses = true;
    const one = await carrying(three);
    const warned = vi.spyOn(console, "warn");
    expect((await consume(books, [one], [credit])).acked).toEqual([one.facts.id]);
    const lines = warned.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
    warned.mockRestore();
    expect(lines).toMatchObject([{ event: "items_unsent", source, eventId: one.facts.id, messages: 3, error: "Error: queue is full" }]);
    expect(sent).toEqual([]);
    for (const item of three) expect(await row(item.id)).toMatchObject({ status: "pending" });
    refuses = false;
    // The delivery itself comes again, as after a crash between the commit and the send: it is done.
    await consume(books, [one], [credit]);
    expect(sent).toEqual([]);
    const ms = 2 * config.timings.sweepAgeMs;
    await books.run(
      `update webhook_events set sent_at = now() - interval '${ms} milliseconds', opening = (extract(epoch from now()) * 1000)::bigint - ${ms} where headers->>'holdfast-delivery' = '${one.facts.id}'`,
    );
    await sweep(books.env, config);
    expect(sent.map((each) => each.facts.id).toSorted(byText)).toEqual(three.map((item) => item.id).toSorted(byText));
    await work();
    expect(await books.balance(user)).toBe(3);
  });

  test("of 1,000 events has 1,000 effects", { timeout: 60_000 }, async () => {
    const user = unique("user");
    const thousand = items(1_000, user).map((item) => ({ ...item, pad: "p".repeat(2_500) }));
    const bytes = new TextEncoder().encode(JSON.stringify({ events: thousand }));
    const one = await message({ source, id: `delivery:${unique("req")}`, bytes });
    await books.env.CLAIMS.getByName(`batches:${one.facts.id}`).deliver({ facts: one.facts, bytes });
    const startMs = Date.now();
    await consume(books, [one], [credit]);
    console.log(`figure: ${bytes.byteLength} bytes split into 1,000 events in ${Date.now() - startMs} ms`);
    expect(await row(one.facts.id)).toMatchObject({ status: "completed", reason: "split: 1000 events" });
    expect(new Set(sent.map((each) => each.facts.id)).size).toBe(1_000);
    await work();
    expect(await books.balance(user)).toBe(1_000);
  });

  test.each([
    ["in one statement", 10],
    ["in several", 700_000],
  ])("%s is written in the order of its ids, so that no two consumers wait for each other", { timeout: 60_000 }, async (_what, pad) => {
    const user = unique("user");
    // In an order that neither the delivery nor the database's collation has.
    const [first = "", ...others] = ["B", "Z", "a", "z"].map((letter) => `${letter}_${unique("item")}`);
    const bytes = new TextEncoder().encode(
      JSON.stringify({ events: [...others.toReversed(), first].map((id) => ({ id, user, pad: "x".repeat(pad) })) }),
    );
    const one = await message({ source, id: `delivery:${unique("req")}`, bytes });
    if (one.bytes === null) await books.env.CLAIMS.getByName(`batches:${one.facts.id}`).deliver({ facts: one.facts, bytes });
    const add = (id: string) => sql`
      insert into webhook_events (source, event_id, type, status, opening, received_at, sent_at, digest, content_type, headers)
      values (${source}, ${id}, 't', 'completed', 1, now(), now(), '', '', '{}')`;
    // Another consumer adds the same events in this order: it has the first, and comes to the others while this one waits.
    const other = openClient(books.env.HYPERDRIVE, config.timings);
    const consuming: Promise<Consumed>[] = [];
    await inTransaction(other, config.timings, async ({ db }) => {
      await db.execute(add(first));
      consuming.push(consume(books, [one], [credit]));
      await expect
        .poll(
          async () =>
            (await books.run("select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"))[0]?.[
              "n"
            ],
          { timeout: 10_000 },
        )
        .toBeGreaterThan(0);
      for (const id of others) await db.execute(add(id));
    });
    expect((await Promise.all(consuming)).map(({ acked }) => acked)).toEqual([[one.facts.id]]);
    expect(await row(one.facts.id)).toMatchObject({ status: "completed", reason: "split: 4 events" });
    other.abandon("the test is over");
    sent = [];
  });

  test("split by two consumers at once with events in common costs nobody an attempt, and no event two effects", { timeout: 60_000 }, async () => {
    const user = unique("user");
    for (let round = 0; round < 5; round++) {
      const all = items(60, user).map((item, index) => ({ ...item, id: `${index % 2 === 0 ? "Z" : "a"}${item.id}`, pad: "x".repeat(100) }));
      // Each in an order of its own, so that only the order in which rows are written keeps them apart.
      const [left, right, third] = [await carrying(all), await carrying(all.toReversed()), await carrying([...all.slice(30), ...all.slice(0, 30)])];
      const [one, two] = [await carrying(all.slice(0, 40)), await carrying(all.slice(20))];
      const consumed = await Promise.all([
        consume(books, [left, one], [credit]),
        consume(books, [two, right], [credit]),
        consume(books, [third], [credit]),
      ]);
      for (const each of consumed) expect(each.retried).toEqual({});
      for (const each of [left, right, third, one, two]) expect(await row(each.facts.id)).toMatchObject({ status: "completed", totalAttempts: 0 });
      expect(await row(all[25]?.id)).toMatchObject({ mismatches: 0 });
      await Promise.all([sent.splice(0, 100), sent.splice(0, 100)].map((batch) => consume(books, batch, [credit])));
      await work();
    }
    expect(await books.balance(user)).toBe(300);
  });
});

test("a delivery through the front door is claimed once, and its events are handled", async () => {
  const user = unique("user");
  const seen: unknown[] = [];
  const before = { ...control };
  control.handlers = [on("batches", "*", async ({ event, data }) => void seen.push([event.id, event.type, data]))];
  control.queue = (_batch, run) => run();
  try {
    const two = items(2, user);
    const headers = { "x-request-id": unique("req") };
    const post = async () => exports.default.fetch(await delivery({ source, body: { events: two }, headers }));
    expect((await post()).headers.get("holdfast-status")).toBe("queued");
    expect(["pending", "done"]).toContain((await post()).headers.get("holdfast-status"));
    await expect.poll(() => seen.length, { timeout: 20_000 }).toBe(2);
    expect(seen.toSorted(byText)).toEqual(two.map((item) => [item.id, "thing.made", item]).toSorted(byText));
    const read = await fetchWorker(
      new Request(`http://localhost/admin/api/events/batches/${encodeURIComponent(`delivery:${headers["x-request-id"]}`)}`, {
        headers: { authorization: "Bearer test-admin-token" },
      }),
    );
    expect(read.body).toMatchObject({ type: "delivery", status: "completed", reason: "split: 2 events" });
  } finally {
    Object.assign(control, before);
  }
});
