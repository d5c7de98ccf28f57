/** DESIGN 3.2's budget, counted: what an event costs in rows, object requests and messages, through the whole path with the real consumer and Postgres. */
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EventClaim } from "../../src/claim/event-claim.ts";
import { readEvent } from "../../src/store/statements/read-event.ts";
import { openClient } from "../../src/store/client.ts";
import { timings } from "../../src/core/timings.ts";
import { age, fireAlarm, holdAlarm, look, soon } from "../support/claims.ts";
import { control } from "../support/control.ts";
import { claimOf, jsonBytes, post, uniqueId } from "../support/events.ts";

const FAST = timings("fast");
/** Every call that reaches an object, by event key: a request each. */
const requests: string[] = [];
/** Deliveries of messages to the consumer: a read each, besides the message's one write and one delete. */
const reads: unknown[] = [];

beforeEach(() => {
  requests.length = 0;
  reads.length = 0;
  for (const method of ["deliver", "adopt", "settle", "load", "alarm"] as const) {
    const original = Reflect.get(EventClaim.prototype, method) as (...args: unknown[]) => Promise<never>;
    vi.spyOn(EventClaim.prototype, method).mockImplementation(function (this: EventClaim, ...args: unknown[]) {
      requests.push(method);
      return original.apply(this, args);
    });
  }
  control.queue = (batch, run) => {
    reads.push(...batch.messages.map(({ id }) => id));
    return run();
  };
});
afterEach(() => vi.restoreAllMocks());

const ledgerStatus = async (id: string): Promise<string | undefined> => {
  const client = openClient(env.HYPERDRIVE, FAST);
  const row = await readEvent(client.db, { source: "generic", id });
  client.abandon("read");
  return row?.status;
};
const claimStatus = async (id: string): Promise<string | undefined> => (await look(id)).record?.status;
const credit = (id: string): Uint8Array => jsonBytes({ id, type: "credit", userId: `user-of-${id}`, amount: 1 });

test("a unique event costs 4 rows, 3 object requests and 3 queue operations; its duplicates cost a request each and no row", async () => {
  const id = uniqueId();
  expect(await look(id)).toMatchObject({ rows: 0 });
  expect(await post(id, credit(id))).toMatchObject({ outcome: "queued" });
  expect((await look(id)).rows).toBe(2);
  // A slow machine is not a lease that has passed. Holding it is a row of the test's own.
  await holdAlarm(id);
  const before = (await look(id)).rows;
  expect(await post(id, credit(id))).toMatchObject({ outcome: "pending" });
  expect((await look(id)).rows).toBe(before);

  await soon(() => claimStatus(id)).toBe("completed");
  expect(await ledgerStatus(id)).toBe("completed");
  expect((await look(id)).rows - before).toBe(2);
  expect(await post(id, credit(id))).toMatchObject({ outcome: "done" });
  expect((await look(id)).rows - before).toBe(2);
  expect(requests).toEqual(["deliver", "deliver", "settle", "deliver"]);
  // One message, written, read and deleted once.
  expect(reads).toHaveLength(1);

  await age(id, FAST.completedKeptMs);
  expect(await fireAlarm(id)).toBe(true);
  expect(requests.filter((method) => method !== "deliver")).toEqual(["settle", "alarm"]);
  expect(await look(id)).toMatchObject({ record: null, keys: [], alarmMs: null });
});

/** The queue's consumer waits until it is let go. */
function holdQueue(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { queue } = control;
  control.queue = async (batch, run) => {
    await promise;
    return queue(batch, run);
  };
  return resolve;
}

test("an event that settles after its lease costs two rows and a request more, and no message", async () => {
  const id = uniqueId();
  const letGo = holdQueue();
  await post(id, credit(id));
  await soon(() => claimStatus(id)).toBe("enqueued");
  expect((await look(id)).rows).toBeLessThanOrEqual(4);
  letGo();
  await soon(() => claimStatus(id)).toBe("completed");
  expect((await look(id)).rows).toBeLessThanOrEqual(6);
  expect(requests).toEqual(["deliver", "alarm", "settle"]);
  expect(reads).toHaveLength(1);
});

test("an event whose object was evicted before the lease costs one message more, and takes effect once", async () => {
  const id = uniqueId();
  const letGo = holdQueue();
  await post(id, credit(id));
  await evictDurableObject(claimOf(id));
  await soon(() => claimStatus(id)).toBe("enqueued");
  letGo();
  await soon(() => claimStatus(id)).toBe("completed");
  await soon(() => reads.length).toBe(2);
  expect(await ledgerStatus(id)).toBe("completed");
});
