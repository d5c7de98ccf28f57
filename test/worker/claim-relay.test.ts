/** Promise 3 at the claim: what was acknowledged reaches the queue, whoever refuses, hangs, forgets or dies in between. */
import { expect, test, vi } from "vitest";
import type { Claim } from "../../src/core/claim.ts";
import { timings } from "../../src/core/timings.ts";
import { age, evict, fireAlarm, holdAlarm, type Inside, look, replaceQueue, soon, type Send } from "../support/claims.ts";
import { claimOf, post, sampleOf, uniqueId } from "../support/events.ts";
import { Inbox } from "../support/inbox.ts";

const inbox = Inbox.open();
const FAST = timings("fast");
const refuses = (): Send => () => Promise.reject(new Error("Unknown Internal Error (15000)"));

const recordOf = async (id: string): Promise<Claim | null> => (await look(id)).record;
/** A claim whose message the queue has taken, and whose alarm waits for the test. */
async function sentClaim(id: string): Promise<void> {
  await claimOf(id).deliver(await sampleOf(id));
  await holdAlarm(id);
  await inbox.until(id, 1);
}
async function enqueuedClaim(id: string): Promise<void> {
  await sentClaim(id);
  await fireAlarm(id);
  expect(await recordOf(id)).toMatchObject({ status: "enqueued" });
}

/** At least: on a slow machine its own alarm may have come before the test's. */
async function untilRefused(id: string, times: number): Promise<Inside> {
  await soon(async () => (await recordOf(id))?.refusals).toBeGreaterThanOrEqual(times);
  return look(id);
}

test("at the lease an object that remembers the queue's yes sends nothing, writes enqueued and arms the watchdog", async () => {
  const id = uniqueId();
  await sentClaim(id);
  const beforeMs = Date.now();
  expect(await fireAlarm(id)).toBe(true);
  const { record, alarmMs } = await look(id);
  expect(record).toMatchObject({ status: "enqueued", watchdogs: 0, hasBytes: true });
  expect(alarmMs).toBeGreaterThanOrEqual(beforeMs + FAST.watchdogMs);
  await inbox.drained();
  expect(inbox.of(id)).toHaveLength(1);
});

test("at the lease an object that was evicted sends again, and then writes enqueued", async () => {
  const id = uniqueId();
  await sentClaim(id);
  await age(id, FAST.leaseMs);
  await fireAlarm(id);
  const [first, second] = await inbox.until(id, 2);
  expect(second).toEqual(first);
  await soon(async () => (await recordOf(id))?.status).toBe("enqueued");
});

test("the alarm arms the next one before it acts: an object that dies while its send hangs wakes up again", async () => {
  const id = uniqueId();
  await sentClaim(id);
  await evict(id);
  const asked = await replaceQueue(id, () => () => new Promise(() => {}));
  const beforeMs = Date.now();
  const fired = fireAlarm(id);
  await soon(() => asked.length).toBe(1);
  expect((await look(id)).alarmMs).toBeGreaterThan(beforeMs);
  expect(await fired).toBe(true);
  await claimOf(id).settle({ status: "completed", opening: 0, stored: true });
});

test("the alarm comes by itself: an object that died with its send is sent from disk", async () => {
  const id = uniqueId();
  await replaceQueue(id, refuses);
  expect(await claimOf(id).deliver(await sampleOf(id))).toMatchObject({ kind: "queued" });
  await evict(id);
  await inbox.until(id, 1);
  expect(inbox.of(id)[0]).toMatchObject({ facts: { id } });
});

test("a queue that refuses: acknowledged all the same, tried again with growing waits, bare after three, sent when it heals", async () => {
  const id = uniqueId();
  let isHealthy = false;
  const asked = await replaceQueue(id, (real) => (body, options) => (isHealthy ? real(body, options) : refuses()(body)));
  const { facts, bytes } = await sampleOf(id);
  expect(await post(id, bytes)).toEqual({ status: 202, outcome: "queued" });
  for (let times = 1; times <= 4; times++) {
    const { record, alarmMs } = await untilRefused(id, times);
    expect((alarmMs ?? 0) - Date.now()).toBeLessThanOrEqual(FAST.resendMs * 2 ** ((record?.refusals ?? 0) - 1));
    await holdAlarm(id);
    if (times === 4) isHealthy = true;
    await fireAlarm(id);
  }
  const [message] = await inbox.until(id, 1);
  expect(asked.length).toBeGreaterThanOrEqual(5);
  expect(asked.map((body) => (body as { bytes: Uint8Array | null }).bytes)).toEqual(asked.map((_, index) => (index < 3 ? bytes : null)));
  expect(message).toMatchObject({ bytes: null, facts: { id, digest: facts.digest } });
  expect((await claimOf(id).load()).body).toEqual({ digest: facts.digest, bytes });
  await holdAlarm(id);
  await fireAlarm(id);
  expect(await recordOf(id)).toMatchObject({ status: "enqueued", refusals: 0, refusedSinceMs: null, hasBytes: true });
});

test("ten refusals in a row say relay_stuck, nine do not, and the bytes stay", async () => {
  const id = uniqueId();
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
  const stuck = () =>
    error.mock.calls
      .map(([line]) => String(line))
      .filter((line) => line.includes(id) && line.includes("relay_stuck"))
      .map((line) => JSON.parse(line) as unknown);
  await replaceQueue(id, refuses);
  await claimOf(id).deliver(await sampleOf(id));
  for (let times = 1; times <= 10; times++) {
    await untilRefused(id, times);
    await holdAlarm(id);
    if (times < 10) await fireAlarm(id);
  }
  // The first that is said is the tenth.
  expect(stuck()[0]).toMatchObject({ level: "error", source: "generic", eventId: id, refusals: 10 });
  vi.restoreAllMocks();
  expect(await recordOf(id)).toMatchObject({ status: "claimed", hasBytes: true });
});

test("a send that hangs does not hold the relay for ever", async () => {
  const id = uniqueId();
  await replaceQueue(id, () => () => new Promise(() => {}));
  await claimOf(id).deliver(await sampleOf(id));
  await holdAlarm(id);
  await expect.poll(async () => (await recordOf(id))?.refusals, { timeout: FAST.relaySendMs + 10_000, interval: 250 }).toBe(1);
});

test("the watchdog sends again what the queue took and nobody settled, each time later", async () => {
  const id = uniqueId();
  await enqueuedClaim(id);
  await evict(id);
  const beforeMs = Date.now();
  await fireAlarm(id);
  const [first, second] = await inbox.until(id, 2);
  expect(second).toEqual(first);
  const { record, alarmMs } = await look(id);
  expect(record).toMatchObject({ status: "enqueued", watchdogs: 1 });
  expect(alarmMs).toBeGreaterThan(beforeMs + FAST.watchdogMs);
});

test("a delivery that finds enqueued fresh sends nothing; one that finds it stale sends at once", async () => {
  const id = uniqueId();
  await enqueuedClaim(id);
  const { facts, bytes } = await sampleOf(id);
  expect(await claimOf(id).deliver({ facts, bytes })).toMatchObject({ kind: "pending" });
  await inbox.drained();
  expect(inbox.of(id)).toHaveLength(1);
  await age(id, FAST.staleEnqueuedMs);
  expect(await claimOf(id).deliver({ facts, bytes })).toMatchObject({ kind: "pending" });
  await inbox.until(id, 2);
});

test("an event that was opened again while the relay was busy with its older opening is sent too", async () => {
  const id = uniqueId();
  const queue = Promise.withResolvers<void>();
  await replaceQueue(id, (real) => async (body, options) => {
    await queue.promise;
    return real(body, options);
  });
  const sample = await sampleOf(id);
  await claimOf(id).deliver(sample);
  const older = (await recordOf(id))?.opening ?? 0;
  await claimOf(id).settle({ status: "failed", opening: older, stored: true });
  expect(await claimOf(id).deliver(sample)).toMatchObject({ kind: "requeued" });
  await holdAlarm(id);
  const newer = (await recordOf(id))?.opening ?? 0;
  expect(newer).toBeGreaterThan(older);
  queue.resolve();
  const messages = await inbox.until(id, 2);
  expect(messages.map(({ opening }) => opening)).toEqual([older, newer]);
});
