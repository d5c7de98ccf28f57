/** Where the signature does not cover the id, a captured request can come again as a new event: the ledger sees that its bytes were there before. */
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { EventMessage } from "../../src/core/message.ts";
import { readEvent } from "../../src/store/statements/read-event.ts";
import { replay } from "../../src/store/statements/replay.ts";
import { batchHandler, PermanentError } from "#holdfast";
import { on } from "../support/own-app.ts";
import { consume, type Ledger, ledger, message, unique } from "../support/ledger.ts";
import { ORDER } from "../support/operators.ts";
import { fetchWorker } from "../support/requests.ts";

let books: Ledger;
beforeAll(async () => {
  books = await ledger("suspected_replays");
});

const DAY_MS = 24 * 3_600_000;
type Name = "github" | "github-skip" | "stripe" | "batches";
const ran: string[] = [];
const handlers = (["github", "github-skip", "stripe", "batches"] as const).map((name) => on(name, "*", async ({ event }) => void ran.push(event.id)));
const run = (...messages: EventMessage[]) => consume(books, messages, handlers);
/** An event of these bytes, received so many days ago. */
const event = async (source: Name, body: unknown, daysAgo = 0, id = unique("evt")): Promise<EventMessage> => {
  const one = await message({ source, body, id });
  return { ...one, facts: { ...one.facts, receivedAtMs: Date.now() - daysAgo * DAY_MS } };
};
const row = ({ facts }: EventMessage) => readEvent(books.db(), facts);
const payload = () => ({ unique: unique("payload") });

describe("the same bytes under another id", () => {
  test("are flagged on the later event, which runs, and operators see it", async () => {
    const body = payload();
    const [first, second, third] = [await event("github", body, 2), await event("github", body, 1), await event("github", body)];
    const warned = vi.spyOn(console, "warn");
    await run(first);
    await run(second);
    const lines = warned.mock.calls.map(([line]) => JSON.parse(String(line)) as Record<string, unknown>);
    warned.mockRestore();
    expect(lines).toMatchObject([{ event: "suspected_replay", source: "github", eventId: second.facts.id, otherEventId: first.facts.id }]);
    await run(third);
    expect(await row(first)).toMatchObject({ status: "completed", suspectedReplayOf: null });
    expect(await row(second)).toMatchObject({ status: "completed", suspectedReplayOf: first.facts.id });
    expect(await row(third)).toMatchObject({ status: "completed", suspectedReplayOf: first.facts.id });
    expect(ran).toEqual(expect.arrayContaining([first.facts.id, second.facts.id, third.facts.id]));
    const read = await fetchWorker(
      new Request(`http://localhost/admin/api/events/github/${second.facts.id}`, { headers: { authorization: "Bearer test-admin-token" } }),
      books.env,
    );
    expect(read.body).toMatchObject({ suspectedReplayOf: first.facts.id });
  });

  test("in one batch are flagged on exactly the later one, whatever the order of their ids", async () => {
    for (const [earlyId, lateId] of [
      ["a", "b"],
      ["b", "a"],
    ]) {
      const body = payload();
      const early = await event("github", body, 1, unique(String(earlyId)));
      const late = await event("github", body, 0, unique(String(lateId)));
      await run(late, early, await event("github", payload()));
      expect([(await row(early))?.suspectedReplayOf, (await row(late))?.suspectedReplayOf]).toEqual([null, early.facts.id]);
    }
  });

  test("received in the same millisecond are flagged on exactly one", async () => {
    const body = payload();
    const [left, right] = [await event("github", body), await event("github", body)];
    const same = { ...right, facts: { ...right.facts, receivedAtMs: left.facts.receivedAtMs } };
    await run(left, same);
    expect([await row(left), await row(same)].filter((one) => one?.suspectedReplayOf !== null)).toHaveLength(1);
  });

  test("where the copy was quicker are flagged on the original: one of two, whichever way round they run", async () => {
    const body = payload();
    const [original, copy] = [await event("github-skip", body, 1), await event("github-skip", body)];
    await run(copy);
    await run(original);
    expect(await row(copy)).toMatchObject({ status: "completed", suspectedReplayOf: null });
    expect(await row(original)).toMatchObject({ status: "skipped", reason: "suspected_replay", suspectedReplayOf: copy.facts.id });
  });

  test("are skipped without a handler where the source asks for it, until an operator replays", async () => {
    const body = payload();
    const [first, second] = [await event("github-skip", body, 1), await event("github-skip", body)];
    await run(first, second);
    expect(ran).toContain(first.facts.id);
    expect(ran).not.toContain(second.facts.id);
    expect(await row(second)).toMatchObject({ status: "skipped", reason: "suspected_replay", suspectedReplayOf: first.facts.id });
    const replayed = await replay(books.db(), second.facts, ORDER, Date.now());
    await run({ ...second, opening: replayed?.opening ?? 0 });
    expect(ran).toContain(second.facts.id);
    expect(await row(second)).toMatchObject({ status: "completed", replays: 1, suspectedReplayOf: first.facts.id });
  });

  test("are skipped out of a batch handler's events, which get the others", async () => {
    const body = payload();
    const [first, second, other] = [await event("github-skip", body, 1), await event("github-skip", body), await event("github-skip", payload())];
    const seen: string[] = [];
    const together = on(
      "github-skip",
      "*",
      batchHandler(async ({ events }) => void seen.push(...events.map((one) => one.id))),
    );
    await consume(books, [first, second, other], [together]);
    expect(seen.toSorted()).toEqual([first.facts.id, other.facts.id].toSorted());
    expect(await row(second)).toMatchObject({ status: "skipped", suspectedReplayOf: first.facts.id });
  });
});

describe("nothing is flagged", () => {
  test("when the same event is delivered again", async () => {
    const one = await event("github", payload());
    await run(one);
    await run(one, { ...one, opening: one.opening + 1 });
    expect(await row(one)).toMatchObject({ suspectedReplayOf: null });
  });

  test("when a dead letter is opened again", async () => {
    const one = await event("github-skip", payload());
    await consume(books, [one], [on("github-skip", "*", () => Promise.reject(new PermanentError("no")))]);
    await run({ ...one, opening: one.opening + 1 });
    expect(await row(one)).toMatchObject({ status: "completed", suspectedReplayOf: null });
  });

  test.each([
    [6.9, true],
    [8, false],
  ])("when the same bytes came %d days before: flagged is %s", async (days, isFlagged) => {
    const body = payload();
    const [first, second] = [await event("github", body, days), await event("github", body)];
    await run(first);
    await run(second);
    expect((await row(second))?.suspectedReplayOf).toBe(isFlagged ? first.facts.id : null);
  });

  test("when the other source had them", async () => {
    const body = payload();
    await run(await event("github-skip", body, 1));
    const second = await event("github", body);
    await run(second);
    expect(await row(second)).toMatchObject({ suspectedReplayOf: null });
  });

  test("of a source whose signature covers the id, and of events of a delivery", async () => {
    for (const source of ["stripe", "batches"] as const) {
      const body = payload();
      const [first, second] = [await event(source, body, 1), await event(source, body)];
      await run(first);
      await run(second);
      expect(await row(second)).toMatchObject({ status: "completed", suspectedReplayOf: null });
    }
  });
});

test("an event that its source does not want is skipped as other_mode, without a handler, and again when it is replayed", async () => {
  const seen: string[] = [];
  const route = on("generic-live", "*", async ({ event }) => void seen.push(event.id));
  const [live, test, none] = await Promise.all(
    [{ livemode: true }, { livemode: false }, {}].map((body) => message({ source: "generic-live", body: { ...body, nonce: unique("n") } })),
  );
  if (live === undefined || test === undefined || none === undefined) throw new Error("three messages");
  await consume(books, [live, test, none], [route]);
  expect(seen).toEqual([live.facts.id]);
  expect(await row(live)).toMatchObject({ status: "completed" });
  expect(await row(test)).toMatchObject({ status: "skipped", reason: "other_mode" });
  expect(await row(none)).toMatchObject({ status: "skipped", reason: "other_mode" });
  const replayed = await replay(books.db(), test.facts, ORDER, Date.now());
  await consume(books, [{ ...test, opening: replayed?.opening ?? 0 }], [route]);
  expect(await row(test)).toMatchObject({ status: "skipped", reason: "other_mode", replays: 1 });
});

test("the bytes are looked for in an index, however many events the ledger has", async () => {
  await books.run(
    `insert into webhook_events (source, event_id, type, status, opening, received_at, sent_at, digest, content_type, headers)
     select 'github', 'plan_' || n, 't', 'completed', n, now() - n * interval '1 second', now(), md5(n::text), '', '{}' from generate_series(1, 20000) n`,
  );
  await books.run("analyze webhook_events");
  const plan = await books.run(
    `explain select o.event_id from webhook_events e cross join lateral (
       select o.event_id from webhook_events o where o.source = e.source and o.digest = e.digest and o.event_id <> e.event_id
         and o.received_at >= e.received_at - interval '7 days' and o.received_at <= e.received_at + interval '7 days'
         and ((o.received_at, o.event_id) < (e.received_at, e.event_id) or (o.status in ('completed', 'skipped', 'failed') and o.suspected_replay_of is null))
       order by o.received_at, o.event_id limit 1) o
     where (e.source, e.event_id) in (select k.source, k.event_id from jsonb_to_recordset('[{"source":"github","event_id":"plan_7"}]') as k(source text, event_id text))`,
  );
  expect(JSON.stringify(plan)).toContain("webhook_events_digest");
  expect(JSON.stringify(plan)).not.toContain("Seq Scan on webhook_events");
});
