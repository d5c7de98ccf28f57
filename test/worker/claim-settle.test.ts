/** What the ledger says, in every state of the claim; what a redelivery does then; and when an object may forget. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { EventClaim } from "../../src/claim/event-claim.ts";
import { timings } from "../../src/core/timings.ts";
import { age, evict, fireAlarm, holdAlarm, look } from "../support/claims.ts";
import { claimOf, sampleOf, type Sample, uniqueId } from "../support/events.ts";
import { Inbox } from "../support/inbox.ts";

const inbox = Inbox.open();
const FAST = timings("fast");

const openingOf = async (id: string): Promise<number> => (await look(id)).record?.opening ?? 0;
const settle = async (id: string, status: "completed" | "failed", stored = true, offset = 0): Promise<void> => {
  expect(await claimOf(id).settle({ status, opening: (await openingOf(id)) + offset, stored })).toEqual({ error: null });
};
const deliver = async (id: string, sample?: Sample) => claimOf(id).deliver(sample ?? (await sampleOf(id)));

/** How an object gets into each state. Its alarm waits for the test. */
const REACH: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  unclaimed: () => Promise.resolve(),
  claimed: (id) => deliver(id),
  enqueued: async (id) => claimOf(id).adopt({ ...(await sampleOf(id)), opening: 5 }),
  failed: async (id) => {
    await deliver(id);
    await settle(id, "failed");
  },
  "failed, not stored": async (id) => {
    await deliver(id);
    await settle(id, "failed", false);
  },
};
async function reach(state: string, id: string): Promise<void> {
  await REACH[state]?.(id);
  if ((await look(id)).record !== null) await holdAlarm(id);
}

describe.each(Object.keys(REACH))("told when %s", (state) => {
  test("completed: final, bytes dropped, a redelivery hears done", async () => {
    const id = uniqueId();
    await reach(state, id);
    const beforeMs = Date.now();
    await settle(id, "completed");
    await evict(id);
    const { record, alarmMs } = await look(id);
    expect(record).toMatchObject({ status: "completed", hasBytes: false });
    expect(alarmMs).toBeGreaterThanOrEqual(beforeMs + FAST.completedKeptMs);
    expect((await claimOf(id).load()).body).toBeNull();
    await settle(id, "failed", false);
    expect(await deliver(id)).toMatchObject({ kind: "done", error: null });
    expect((await look(id)).record).toMatchObject({ status: "completed" });
  });

  test("erased: nothing of the payload is left, and what is not there is not made", async () => {
    const id = uniqueId();
    await reach(state, id);
    const before = await look(id);
    expect(await claimOf(id).erase({ opening: 1 })).toEqual({ error: null });
    await evict(id);
    const after = await look(id);
    if (before.record === null) expect(after).toMatchObject({ record: null, keys: [], alarmMs: null });
    else expect(after.record).toMatchObject({ status: "completed", hasBytes: false, opening: before.record.opening, facts: { headers: {} } });
    expect((await claimOf(id).load()).body).toBeNull();
  });

  test("failed: a dead letter that a redelivery opens again, with a larger opening", async () => {
    const id = uniqueId();
    await reach(state, id);
    await settle(id, "failed", true, 1);
    await evict(id);
    const before = await openingOf(id);
    expect((await look(id)).record).toMatchObject({ status: "failed", hasBytes: false, stored: true });
    const sample = await sampleOf(id);
    const sends = inbox.of(id).length;
    expect(await deliver(id, sample)).toMatchObject({ kind: "requeued" });
    expect(await deliver(id, sample)).toMatchObject({ kind: "pending" });
    const { record } = await look(id);
    expect(record).toMatchObject({ status: "claimed", hasBytes: true, stored: false });
    expect(record?.opening).toBeGreaterThan(before);
    const messages = await inbox.until(id, sends + 1);
    expect(messages.at(-1)).toMatchObject({ opening: record?.opening, bytes: sample.bytes });
  });
});

test("a late failure of an older opening does not bury the newer one", async () => {
  const id = uniqueId();
  await deliver(id);
  const older = await openingOf(id);
  await settle(id, "failed");
  await deliver(id);
  expect(await claimOf(id).settle({ status: "failed", opening: older, stored: true })).toEqual({ error: null });
  expect((await look(id)).record).toMatchObject({ status: "claimed", hasBytes: true });
  expect(await deliver(id)).toMatchObject({ kind: "pending" });
});

test("a skipped event that was replayed and then failed is opened again by the next delivery", async () => {
  const id = uniqueId();
  await deliver(id);
  await settle(id, "completed");
  // The replay went around the claim.
  await settle(id, "failed", true, 1_000);
  expect((await look(id)).record).toMatchObject({ status: "failed", hasBytes: false, stored: true });
  expect(await deliver(id)).toMatchObject({ kind: "requeued" });
});

test("a dead letter whose bytes the ledger lacks keeps them, and a redelivery with other bytes does not replace them", async () => {
  const id = uniqueId();
  const first = await sampleOf(id);
  await deliver(id, first);
  await settle(id, "failed", false);
  const other = await sampleOf(id, new TextEncoder().encode("{}"));
  expect(await deliver(id, other)).toEqual({ error: null, kind: "requeued", otherDigest: first.facts.digest });
  expect((await claimOf(id).load()).body).toEqual({ digest: first.facts.digest, bytes: first.bytes });
});

test("adopted where there is nothing: stored and watched, and a delivery hears pending", async () => {
  const id = uniqueId();
  const sample = await sampleOf(id);
  const beforeMs = Date.now();
  expect(await claimOf(id).adopt({ ...sample, opening: 77 })).toEqual({ error: null });
  const { record, alarmMs } = await look(id);
  expect(record).toMatchObject({ status: "enqueued", opening: 77, hasBytes: true });
  expect(alarmMs).toBeGreaterThanOrEqual(beforeMs + FAST.watchdogMs);
  await holdAlarm(id);
  expect(await deliver(id, sample)).toMatchObject({ kind: "pending" });
  await fireAlarm(id);
  expect((await inbox.until(id, 1))[0]).toMatchObject({ bytes: sample.bytes, opening: 77 });
});

test.each(["claimed", "enqueued", "failed", "failed, not stored"])("adopting what is %s changes nothing", async (state) => {
  const id = uniqueId();
  await reach(state, id);
  const before = await look(id);
  expect(await claimOf(id).adopt({ ...(await sampleOf(id)), opening: 9e15 })).toEqual({ error: null });
  expect(await look(id)).toEqual(before);
});

describe("forgetting", () => {
  test("a completed event of 7 days ago leaves an empty object without alarm, and can be claimed anew", async () => {
    const id = uniqueId();
    await deliver(id);
    await settle(id, "completed");
    await age(id, FAST.completedKeptMs);
    await fireAlarm(id);
    expect(await look(id)).toMatchObject({ record: null, keys: [], alarmMs: null });
    expect(await deliver(id)).toMatchObject({ kind: "queued" });
    expect(await look(id)).toMatchObject({ record: { status: "claimed" }, alarmMs: expect.any(Number) });
  });

  test("an alarm that comes early forgets nothing, and comes again", async () => {
    const id = uniqueId();
    await deliver(id);
    await settle(id, "completed");
    await age(id, FAST.completedKeptMs - 60_000);
    await fireAlarm(id);
    const { record, alarmMs } = await look(id);
    expect(record).toMatchObject({ status: "completed" });
    expect(alarmMs).toBe((record?.sinceMs ?? 0) + FAST.completedKeptMs);
  });

  test("a dead letter of 30 days ago goes if the ledger has its bytes; if not, it stays and so do they", async () => {
    const [stored, kept] = [uniqueId(), uniqueId()];
    const sample = await sampleOf(kept);
    await deliver(stored);
    await settle(stored, "failed", true);
    await deliver(kept, sample);
    await settle(kept, "failed", false);
    for (const id of [stored, kept]) {
      await age(id, FAST.failedKeptMs);
      await fireAlarm(id);
    }
    expect(await look(stored)).toMatchObject({ record: null, keys: [], alarmMs: null });
    expect(await look(kept)).toMatchObject({ record: { status: "failed" }, alarmMs: expect.any(Number) });
    expect((await claimOf(kept).load()).body?.bytes).toEqual(sample.bytes);
  });

  test("a delivery that meets the forgetting is not forgotten with it", async () => {
    const ids = Array.from({ length: 10 }, uniqueId);
    for (const id of ids) {
      await settle(id, "completed");
      await age(id, FAST.completedKeptMs);
    }
    for (const id of ids) {
      const sample = await sampleOf(id);
      const [, ...answers] = await Promise.all([fireAlarm(id), ...Array.from({ length: 5 }, () => deliver(id, sample))]);
      // Whoever heard that it was queued can rely on it; whoever came before the forgetting heard done.
      if (!answers.some(({ kind }) => kind === "queued")) expect(answers.map(({ kind }) => kind)).toEqual(answers.map(() => "done"));
      else expect(await look(id), id).toMatchObject({ record: { status: "claimed", hasBytes: true }, keys: ["claim"], alarmMs: expect.any(Number) });
    }
  });
});

test("Postgres restored from a backup: with LEDGER_RESTORED_AT a redelivery of what completed before goes to the ledger again, once", async () => {
  const id = uniqueId();
  await reach("claimed", id);
  await settle(id, "completed");
  const sample = await sampleOf(id);
  expect(await deliver(id, sample)).toMatchObject({ kind: "done" });
  const restored = { ...env, LEDGER_RESTORED_AT: new Date(Date.now() + 60_000).toISOString() };
  const answer = await runInDurableObject(claimOf(id), (_, state) => new EventClaim(state, restored).deliver(sample));
  expect(answer).toMatchObject({ kind: "requeued", error: null });
  await evict(id);
  expect((await look(id)).record).toMatchObject({ status: "claimed", hasBytes: true });
  expect((await claimOf(id).load()).body?.bytes).toEqual(sample.bytes);
});
