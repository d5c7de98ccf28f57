/** What operators change about one event: replayed, forced, discarded; guarded, audited, once. */
import { beforeAll, describe, expect, test } from "vitest";
import { on } from "../support/own-app.ts";
import { PermanentError, skip } from "#holdfast";
import { control } from "../support/control.ts";
import { consume, type Ledger, ledger, message, unique } from "../support/ledger.ts";
import { auditOf, call, eventPath } from "../support/operators.ts";

let books: Ledger;
beforeAll(async () => {
  books = await ledger("orders");
  control.queue = async (batch) => batch.ackAll();
});

const works = on("generic", "*", async () => undefined);
const fails = on("generic", "*", () => Promise.reject(new PermanentError("broken")));
const order = (id: string, what: string, body?: unknown) => call("POST", eventPath(id, what), body, books.env);
const made = async (handler: typeof works, id?: string) => {
  const one = await message(id === undefined ? {} : { id });
  await consume(books, [one], [handler]);
  return one;
};
/** A message for the opening that the row is in, as the order sends it. */
const again = async (one: Awaited<ReturnType<typeof message>>) => ({ ...one, bytes: null, opening: (await books.row(one.facts.id))?.opening ?? 0 });

/** A handler whose runs are counted. */
function counting() {
  const runs = { count: 0 };
  return { runs, handler: on("generic", "*", async () => void runs.count++) };
}

describe("replay", () => {
  test("by twenty at once is one replay, one effect, one audit row", async () => {
    const one = await made(fails);
    const answers = await Promise.all(Array.from({ length: 20 }, () => order(one.facts.id, "replay", { reason: "fixed the handler" })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, ...Array.from({ length: 19 }, () => 409)]);
    const { runs, handler } = counting();
    await consume(books, [await again(one)], [handler]);
    await consume(books, [await again(one)], [handler]);
    expect(runs.count).toBe(1);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "completed", replays: 1 });
    expect(await auditOf(books, one.facts.id)).toEqual([
      { actor: "admin token", action: "replay", details: { via: "token", reason: "fixed the handler" } },
    ]);
  });

  test("of a completed event needs force, and then has its effect once more, by order", async () => {
    const { runs, handler } = counting();
    const one = await made(handler);
    expect((await order(one.facts.id, "replay", {})).body).toMatchObject({ status: 409, detail: expect.stringContaining("force") });
    expect(await auditOf(books, one.facts.id)).toEqual([]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => order(one.facts.id, "replay", { force: true, reason: "the effect was lost" })),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ title: "Already pending" });
    const message = await again(one);
    await consume(books, [message], [handler]);
    await consume(books, [message, one], [handler]);
    expect(runs.count).toBe(2);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "completed", replays: 1 });
    expect(await auditOf(books, one.facts.id)).toEqual([
      { actor: "admin token", action: "replay_forced", details: { via: "token", reason: "the effect was lost" } },
    ]);
  });

  test("by force of a dead letter is a plain replay", async () => {
    const one = await made(fails);
    expect((await order(one.facts.id, "replay", { force: true })).status).toBe(202);
    expect(await auditOf(books, one.facts.id)).toMatchObject([{ action: "replay" }]);
  });

  test("by force is refused while its after is owed", async () => {
    const one = await made(on("generic", "*", { run: async () => undefined, after: () => Promise.reject(new Error("down")) }));
    expect((await order(one.facts.id, "replay", { force: true })).body).toMatchObject({ status: 409, title: "Already pending" });
    expect(await books.row(one.facts.id)).toMatchObject({ status: "completed", after: "owed", replays: 0 });
  });

  test("by force of an event whose after was given up runs the whole event, and without force the after alone", async () => {
    const dead = on("generic", "*", { run: async () => undefined, after: () => Promise.reject(new PermanentError("gone")) });
    const [whole, alone] = [await made(dead), await made(dead)];
    expect((await order(whole.facts.id, "replay", { force: true })).body).toMatchObject({ what: "event" });
    expect((await order(alone.facts.id, "replay", {})).body).toMatchObject({ what: "after" });
    expect(await books.row(whole.facts.id)).toMatchObject({ status: "pending", after: "none" });
    expect(await books.row(alone.facts.id)).toMatchObject({ status: "completed", after: "owed" });
    expect(await auditOf(books, whole.facts.id)).toMatchObject([{ action: "replay_forced" }]);
    expect(await auditOf(books, alone.facts.id)).toMatchObject([{ action: "replay" }]);
  });

  test("whose message the queue refuses stands, and says who sends it", async () => {
    const one = await made(fails);
    const EVENTS = { sendBatch: () => Promise.reject(new Error("queue is full")) } as unknown as Queue;
    const answer = await call("POST", eventPath(one.facts.id, "replay"), {}, { ...books.env, EVENTS });
    expect(answer).toMatchObject({ status: 202, body: { note: expect.stringContaining("sweep") } });
    expect(await books.row(one.facts.id)).toMatchObject({ status: "pending", replays: 1 });
  });
});

describe("discard", () => {
  test("of a dead letter skips it with the reason, keeps what is known of the failure, and a redelivery does not run", async () => {
    const one = await made(fails);
    expect(await order(one.facts.id, "discard", { reason: "a test order" })).toMatchObject({ status: 200, body: { what: "event" } });
    expect(await books.row(one.facts.id)).toMatchObject({ status: "skipped", reason: "discarded: a test order", lastError: "broken", hasBody: true });
    const { runs, handler } = counting();
    const redelivered = { ...one, opening: one.opening + 60_000 };
    expect((await consume(books, [redelivered], [handler])).acked).toEqual([one.facts.id]);
    expect(runs.count).toBe(0);
    expect(await auditOf(books, one.facts.id)).toEqual([
      { actor: "admin token", action: "discard", details: { via: "token", reason: "a test order" } },
    ]);
  });

  test("can be taken back: the event is replayed", async () => {
    const one = await made(fails);
    await order(one.facts.id, "discard", { reason: "mistake" });
    expect((await order(one.facts.id, "replay")).status).toBe(202);
    const { runs, handler } = counting();
    await consume(books, [await again(one)], [handler]);
    expect(runs.count).toBe(1);
    expect((await auditOf(books, one.facts.id)).map(({ action }) => action)).toEqual(["discard", "replay"]);
  });

  test("of a given-up after lets it go, and the event stays completed", async () => {
    const one = await made(on("generic", "*", { run: async () => undefined, after: () => Promise.reject(new PermanentError("gone")) }));
    expect((await order(one.facts.id, "discard", { reason: "told by hand" })).body).toMatchObject({ what: "after" });
    expect(await books.row(one.facts.id)).toMatchObject({ status: "completed", after: "none", reason: "after discarded: told by hand" });
    expect((await order(one.facts.id, "replay")).body).toMatchObject({ title: "Completed" });
  });

  test("by twenty at once is one, and beside a replay one of both", async () => {
    const [one, two] = [await made(fails), await made(fails)];
    await Promise.all(Array.from({ length: 20 }, () => order(one.facts.id, "discard", { reason: "all of us" })));
    expect(await auditOf(books, one.facts.id)).toHaveLength(1);
    await Promise.all(Array.from({ length: 10 }, (_, n) => order(two.facts.id, n % 2 === 0 ? "replay" : "discard", { reason: "race" })));
    const actions = (await auditOf(books, two.facts.id)).map(({ action }) => action);
    expect(actions.filter((action) => action === "replay")).toHaveLength(1);
    expect((await books.row(two.facts.id))?.status).toBe("pending");
  });

  test.each([
    ["completed", works],
    ["skipped", on("generic", "*", async () => skip("not ours"))],
    ["pending", on("generic", "*", () => Promise.reject(new Error("later")))],
  ] as const)("of a %s event is refused", async (status, handler) => {
    const one = await made(handler);
    expect((await order(one.facts.id, "discard", { reason: "why not" })).body).toMatchObject({
      status: 409,
      detail: expect.stringContaining(status),
    });
    expect(await books.row(one.facts.id)).toMatchObject({ status });
    expect(await auditOf(books, one.facts.id)).toEqual([]);
  });
});

describe("an order that is none", () => {
  const cases: readonly (readonly [string, string, unknown, string])[] = [
    ["without a reason", "discard", {}, "reason: must be text of 1 to 500 characters"],
    ["with a blank reason", "erase", { reason: " \n " }, "reason: must be text of 1 to 500 characters"],
    ["with an endless reason", "discard", { reason: "x".repeat(501) }, "reason: must be text of 1 to 500 characters"],
    ["with a field that nobody knows", "replay", { forced: true }, 'unknown field "forced"; known are force, reason'],
    ["with a flag that is none", "replay", { force: "yes" }, "force: must be true or false"],
    ["that is a list", "replay", [], "must be an object with force, reason"],
  ];
  test.each(cases)("%s says so: %s", async (_, what, body, detail) => {
    const one = await made(fails);
    expect((await order(one.facts.id, what, body)).body).toMatchObject({ status: 400, detail: expect.stringContaining(detail) });
    expect(await books.row(one.facts.id)).toMatchObject({ status: "failed" });
  });

  test("is told in words when it is no JSON, or not said to be", async () => {
    const { fetchWorker } = await import("../support/requests.ts");
    const send = (body: string, type: string) =>
      fetchWorker(
        new Request(`http://localhost/admin/api${eventPath("x", "discard")}`, {
          method: "POST",
          body,
          headers: { authorization: "Bearer test-admin-token", "content-type": type },
        }),
        books.env,
      );
    expect((await send("{", "application/json")).body).toMatchObject({ status: 400, detail: "the body does not parse as JSON" });
    expect((await send('{"reason":"x"}', "text/plain")).body).toMatchObject({ status: 400, detail: expect.stringContaining("content-type") });
  });

  test.each([["replay"], ["discard"], ["erase"]])("for an event that cannot be, is not there: %s", async (what) => {
    for (const id of ["nobody", "'; drop table webhook_events; --"]) {
      expect(await order(id, what, { reason: "why" })).toMatchObject({ status: 404, body: { title: "Unknown event" } });
    }
    for (const id of ["a\0b", "x".repeat(2_000)]) {
      expect(await order(id, what, { reason: "why" })).toMatchObject({ status: 400, body: { title: "Bad path" } });
    }
  });
});

test("hostile ids and reasons are text, in the row and in the audit", async () => {
  const id = `<script>alert(1)</script>/../${unique("%2e%2e'\"")}`;
  const one = await made(fails, id);
  const reason = `'); delete from webhook_audit; -- <img src=x onerror=alert(1)> \u202e`;
  expect((await order(id, "discard", { reason: `${reason}\0` })).status).toBe(200);
  expect(await books.row(one.facts.id)).toMatchObject({ reason: `discarded: ${reason.trim()}` });
  expect(await auditOf(books, id)).toEqual([{ actor: "admin token", action: "discard", details: { via: "token", reason: reason.trim() } }]);
});
