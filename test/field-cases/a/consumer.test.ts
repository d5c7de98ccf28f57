/** Field cases: messages that come again, handlers that fail, outages that last; and the way back for an operator. */
import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { ATTEMPTS_LIMIT } from "../../../src/core/limits.ts";
import { PermanentError, skip, type Route } from "#holdfast";
import { credit, credits, Field, ONCE, underId } from "./field.ts";
import { consume, message } from "../../support/ledger.ts";
import { entries, on } from "../../support/own-app.ts";
import { fetchWorker } from "../../support/requests.ts";

let field: Field;
beforeAll(async () => {
  field = await Field.open("consumer");
});

const failing = (error: () => Error): Route[] => [
  on("stripe", "*", async () => {
    throw error();
  }),
];
const broken = failing(() => new PermanentError("broken"));
const deadPostgres = {
  connectionString: env.HYPERDRIVE.connectionString,
  connect: () => {
    throw new Error("connect ECONNREFUSED");
  },
} as unknown as Hyperdrive;
/** While Postgres is down. */
const consumeInOutage = (messages: readonly unknown[], deliveries: number) =>
  consume({ env: { ...field.books.env, HYPERDRIVE: deadPostgres } }, messages, credit, { deliveries });

test("B06 the queue redelivers a message whose work was already committed", async () => {
  await field.send("B06 r1");
  const [one] = await field.messages("evt_B_ack");
  // Committed, and dead before its ack: the queue knows nothing of it.
  await field.consume([one]);
  const failed = vi.spyOn(console, "error");
  const never = on("stripe", "*", () => Promise.reject(new Error("the handler must not be called again")));
  expect((await field.consume([one], [never])).acked).toEqual(["evt_B_ack"]);
  const both = await Promise.all([field.consume([one], [never]), field.consume([one], [never])]);
  expect(both.map(({ acked }) => acked)).toEqual([["evt_B_ack"], ["evt_B_ack"]]);
  expect(failed).not.toHaveBeenCalled();
  failed.mockRestore();
  expect(await field.counts("evt_B_ack")).toEqual(ONCE);
});

test("B07 an event is marked done before the work succeeded, and every retry is skipped", async () => {
  await field.send("B07 r1");
  const messages = await field.messages("evt_B_mark");
  expect(
    (
      await field.consume(
        messages,
        failing(() => new Error("the first time")),
      )
    ).acked,
  ).toEqual([]);
  expect(await field.counts("evt_B_mark")).toEqual({ events: 1, effects: 0, status: "pending" });
  await field.due("evt_B_mark");
  await field.consume(messages);
  expect(await field.counts("evt_B_mark")).toEqual(ONCE);
});

test("B07 a dead letter that the provider delivers again is swallowed as a duplicate", async () => {
  const other = await underId("B07 r1", "evt_B_mark", "evt_B_mark2");
  await field.send("B07 r1", other);
  const [one] = await field.messages("evt_B_mark2");
  for (let attempt = 0; attempt < ATTEMPTS_LIMIT; attempt++) {
    await field.due("evt_B_mark2");
    await field.consume(
      [one],
      failing(() => new Error("always")),
    );
  }
  expect(await field.counts("evt_B_mark2")).toEqual({ events: 1, effects: 0, status: "failed" });
  expect((await field.send("B07 r1", other)).outcome).toBe("requeued");
  await field.consume((await field.messages("evt_B_mark2", 2)).slice(-1));
  expect(await field.counts("evt_B_mark2")).toEqual(ONCE);
});

test("B09 one failing message makes the whole batch run again", async () => {
  const messages = await Promise.all(Array.from({ length: 10 }, (_, n) => message({ source: "stripe", id: `evt_B_b${n}` })));
  const handlers = [
    on("stripe", "*", async (context) => {
      await credits(context);
      if (context.event.id === "evt_B_b7") throw new Error("b7 always fails");
    }),
  ];
  const { acked, retried } = await field.consume(messages, handlers);
  expect([acked.length, Object.keys(retried)]).toEqual([9, ["evt_B_b7"]]);
  for (const { facts } of messages.filter((one) => one.facts.id !== "evt_B_b7")) {
    expect(await field.counts(facts.id)).toEqual(ONCE);
    expect(await field.books.row(facts.id, "stripe")).toMatchObject({ totalAttempts: 0 });
  }
  for (let attempt = 1; attempt < ATTEMPTS_LIMIT; attempt++) {
    await field.due("evt_B_b7");
    await field.consume(messages, handlers);
  }
  expect(await field.books.row("evt_B_b7", "stripe")).toMatchObject({ status: "failed", attempts: ATTEMPTS_LIMIT, lastError: "b7 always fails" });
  expect(await Promise.all(messages.map(async ({ facts }) => (await field.counts(facts.id)).effects))).toEqual([1, 1, 1, 1, 1, 1, 1, 0, 1, 1]);
});

/** The newest state wins, whatever the order of arrival; within one second what was updated beats what was created. */
const newestWins = on("stripe", "*", async ({ tx, data, event }) => {
  const { id, status } = data.data.object as unknown as { id: string; status: string };
  const version = BigInt(event.occurredAt?.getTime() ?? 0) * 2n + (event.type.endsWith(".updated") ? 1n : 0n);
  const written = await tx
    .insert(entries)
    .values({ reference: id, userId: status, amount: version })
    .onConflictDoUpdate({ target: entries.reference, set: { userId: status, amount: version }, setWhere: sql`${entries.amount} < ${version}` })
    .returning();
  return written.length === 0 ? skip("superseded") : undefined;
});
const statusOf = async (id: string) => (await field.books.run(`select user_id from test_entries where reference = '${id}'`))[0]?.["user_id"];

test("B10 a late older event overwrites newer state", async () => {
  await field.send("B10 r1");
  await field.consume(await field.messages("evt_B_ord2"), [newestWins]);
  await field.send("B10 r2");
  await field.consume(await field.messages("evt_B_ord1"), [newestWins]);
  expect(await statusOf("sub_1")).toBe("active");
  expect(await field.books.row("evt_B_ord2", "stripe")).toMatchObject({ status: "completed" });
  expect(await field.books.row("evt_B_ord1", "stripe")).toMatchObject({ status: "skipped", reason: "superseded" });
});

test.each([
  ["in their order", 1_000, false],
  ["in the other order", 1_000, true],
  ["of the same second", 0, false],
  ["of the same second, in the other order", 0, true],
])("B10 a late older event of the same batch overwrites newer state: %s", async (what, apartMs, reversed) => {
  const sub = `sub ${what}`;
  const make = async (type: string, status: string, occurredAtMs: number) => {
    const one = await message({ source: "stripe", type, body: { data: { object: { id: sub, status } } } });
    return { ...one, facts: { ...one.facts, occurredAtMs } };
  };
  const both = [
    await make("subscription.created", "incomplete", 1_767_225_565_000),
    await make("subscription.updated", "active", 1_767_225_565_000 + apartMs),
  ];
  expect((await field.consume(reversed ? both.toReversed() : both, [newestWins])).acked).toHaveLength(2);
  expect(await statusOf(sub)).toBe("active");
});

test("B26 a dead letter disappears from the queue, and nobody has it", async () => {
  const one = await message({ source: "stripe", id: "evt_B_dlq", body: { keep: "me" } });
  for (let attempt = 0; attempt < ATTEMPTS_LIMIT; attempt++) {
    await field.due("evt_B_dlq");
    await field.consume(
      [one],
      failing(() => new Error(`failure ${attempt + 1}`)),
    );
  }
  const row = await field.books.row("evt_B_dlq", "stripe");
  expect(row).toMatchObject({
    status: "failed",
    attempts: ATTEMPTS_LIMIT,
    hasBody: true,
    lastError: `failure ${ATTEMPTS_LIMIT}`,
    digest: one.facts.digest,
  });
  const attempts = await field.books.attempts("evt_B_dlq");
  expect([attempts.length, attempts[0]?.message]).toEqual([ATTEMPTS_LIMIT, "failure 1"]);
  const read = await fetchWorker(
    new Request("https://hooks.example.test/admin/api/events/stripe/evt_B_dlq", { headers: { authorization: "Bearer test-admin-token" } }),
    field.books.env,
  );
  expect(read.body).toMatchObject({ id: "evt_B_dlq", status: "failed" });
});

test("B27 an outage shorter than an hour dead-letters everything", async () => {
  const messages = await Promise.all(Array.from({ length: 20 }, () => message({ source: "stripe" })));
  const waits: number[] = [];
  for (const deliveries of [1, 5, 20, 60, 100]) {
    const { acked, retried } = await consumeInOutage(messages, deliveries);
    expect([acked.length, Object.keys(retried).length]).toEqual([0, 20]);
    waits.push(Math.max(...Object.values(retried).map((seconds) => seconds ?? 0)));
  }
  expect(waits[2]).toBeGreaterThan(waits[0] ?? 0);
  await field.consume(messages);
  for (const { facts } of messages) {
    expect(await field.counts(facts.id)).toEqual(ONCE);
    expect(await field.books.row(facts.id, "stripe")).toMatchObject({ totalAttempts: 0 });
  }
});

test.each([
  ["completed", 0, "completed"],
  ["pending", 1, "completed"],
])("B28 a row that is there already is misread, since the insert returns none: %s", async (status, effects, end) => {
  const one = await message({ source: "stripe", id: `evt_B_ocn_${status}` });
  await field.books.run(
    `insert into webhook_events (source, event_id, type, status, opening, received_at, sent_at, digest, content_type, headers)
     values ('stripe', '${one.facts.id}', 'test', '${status}', ${one.opening}, now(), now() - interval '1 hour', '${one.facts.digest}', '', '{}')`,
  );
  expect((await field.consume([one])).acked).toEqual([one.facts.id]);
  expect(await field.counts(one.facts.id)).toEqual({ events: 1, effects, status: end });
});

describe("B40 a replay runs the handler without the check for duplicates", () => {
  const replay = (id: string) =>
    fetchWorker(
      new Request(`https://hooks.example.test/admin/api/events/stripe/${id}/replay`, {
        method: "POST",
        headers: { authorization: "Bearer test-admin-token" },
      }),
      field.books.env,
    );
  const dead = async (id: string) => {
    const other = await underId("B40 r1", "evt_B_rpl", id);
    await field.send("B40 r1", other);
    await field.consume(await field.messages(id), broken);
    expect(await field.counts(id)).toEqual({ events: 1, effects: 0, status: "failed" });
    return other;
  };

  test("of an event that succeeded in the meantime", async () => {
    const other = await dead("evt_B_rpl");
    await field.send("B40 r1", other);
    await field.consume((await field.messages("evt_B_rpl", 2)).slice(-1));
    const answers = [await replay("evt_B_rpl"), ...(await Promise.all([replay("evt_B_rpl"), replay("evt_B_rpl")]))];
    expect(answers.map(({ status, body }) => [status, body])).toEqual(
      answers.map(() => [409, expect.objectContaining({ title: "Completed", detail: expect.stringContaining("its effect would happen twice") })]),
    );
    expect(await field.sent("evt_B_rpl")).toBe(2);
    expect(await field.counts("evt_B_rpl")).toEqual(ONCE);
  });

  test("while a redelivery of it is being processed", async () => {
    const other = await dead("evt_B_rpl_live");
    const [answer, redelivery] = await Promise.all([replay("evt_B_rpl_live"), field.send("B40 r1", other)]);
    expect([answer.status, redelivery.outcome]).toEqual([202, "requeued"]);
    const messages = await field.messages("evt_B_rpl_live", 3);
    await Promise.all([field.consume(messages), field.consume(messages.toReversed()), field.consume(messages.slice(-1))]);
    await field.consume(messages);
    expect(await field.counts("evt_B_rpl_live")).toEqual(ONCE);
    expect(await field.books.row("evt_B_rpl_live", "stripe")).toMatchObject({ replays: 1 });
  });
});
