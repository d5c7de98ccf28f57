/** Field cases of the claim: crashes, races, alarms, and forgetting. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { timings } from "../../../src/core/timings.ts";
import { age, look, tamper } from "../../support/claims.ts";
import { claimOf as genericClaim, sampleOf, uniqueId } from "../../support/events.ts";
import { delivery } from "../../support/requests.ts";
import { claimOf, credit, evict, Field, fireAlarm, inside, logged, on } from "./field.ts";

let field: Field;
beforeAll(async () => {
  field = await Field.open("claim");
});

const FAST = timings("fast");
const deliver = async (id: string) => genericClaim(id).deliver(await sampleOf(id));
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 15_000 });

describe("B53 a crash between claim and finish wedges the key", () => {
  test("B53 the Worker disappears right after the claim: a redelivery is acknowledged, since the bytes are held, and the alarm sends", async () => {
    await field.send("B53 r1");
    // All that the crash left: the disk, and no memory of the queue's answer.
    await evict("stripe", "evt_B_wedge");
    expect((await field.send("B53 r1")).outcome).toBe("pending");
    const messages = await field.messages("evt_B_wedge", 2);
    await field.consume(messages, [on("stripe", "*", credit)]);
    expect(await field.row("evt_B_wedge")).toMatchObject({ status: "completed", duplicates: expect.any(Number) });
    expect(await field.books.balance("evt_B_wedge")).toBe(1);
    expect((await field.send("B53 r1")).outcome).toBe("done");
  });

  test.each(["sinceMs", "refusedSinceMs", "watchdogs"])(
    "B53 a record of an older version that has no %s is neither taken over nor blocked for ever",
    async (name) => {
      const id = uniqueId();
      await deliver(id);
      await field.messages(id);
      await tamper(id, async ({ storage }) => {
        const { claim, ...rest } = storage.kv.get<{ claim: Record<string, unknown> }>("claim") ?? { claim: {} };
        const { [name]: _, ...older } = claim;
        storage.kv.put("claim", { ...rest, claim: older });
        await storage.deleteAlarm();
      });
      expect(await deliver(id)).toMatchObject({ kind: "pending", error: null });
      expect((await field.messages(id, 2))[1]?.bytes).toEqual((await sampleOf(id)).bytes);
    },
  );
});

test("B54 get, await, put in a Durable Object is not atomic across other I/O", async () => {
  const id = uniqueId();
  // Whatever the object waits for yields.
  await runInDurableObject(genericClaim(id), (_, { storage }) => {
    for (const name of ["sync", "setAlarm", "getAlarm"] as const) {
      const real = storage[name].bind(storage) as (...args: unknown[]) => Promise<unknown>;
      const slow = async (...args: unknown[]): Promise<unknown> => {
        await new Promise((done) => setTimeout(done, 5));
        return real(...args);
      };
      if (!Reflect.defineProperty(storage, name, { value: slow })) throw new Error(`${name} cannot be slowed down`);
    }
  });
  const kinds = async () => (await Promise.all(Array.from({ length: 100 }, () => deliver(id)))).map(({ kind }) => kind);
  const first = await kinds();
  expect([first.filter((kind) => kind === "queued").length, first.filter((kind) => kind === "pending").length]).toEqual([1, 99]);
  await evict("generic", id);
  expect(new Set(await kinds())).toEqual(new Set(["pending"]));
});

test("B62 enqueued, but marking it so fails: the retry creates a second effect", async () => {
  expect((await field.send("B62 r1")).status).toBe(202);
  await field.messages("evt_B_mk");
  // The queue has it, and the object dies before it could note that: at the lease it sends again.
  await evict("stripe", "evt_B_mk");
  const messages = await field.messages("evt_B_mk", 2);
  expect((await field.send("B62 r1")).status).toBe(202);
  for (const message of messages) await field.consume([message], [on("stripe", "*", credit)]);
  expect([await field.books.balance("evt_B_mk"), await field.count("webhook_events", "event_id = 'evt_B_mk'")]).toEqual([1, 1]);
  expect((await field.send("B62 r1")).outcome).toBe("done");
});

test("B93 after expiry every redelivery counts as first", async () => {
  const id = uniqueId();
  const handlers = [on("generic", "*", credit)];
  await deliver(id);
  await field.consume(await field.messages(id), handlers);
  await age(id, FAST.completedKeptMs);
  await fireAlarm("generic", id);
  expect((await inside("generic", id)).keys).toEqual([]);
  expect([(await deliver(id)).kind, (await deliver(id)).kind, (await deliver(id)).kind]).toEqual(["queued", "pending", "pending"]);
  await field.consume((await field.messages(id, 2)).slice(1), handlers);
  expect(await field.books.balance(id)).toBe(1);
  expect((await deliver(id)).kind).toBe("done");
});

describe("B98 the clean-up alarm leaves something behind, or tries for ever", () => {
  test("B98 past its retention an object is empty, without alarm, and an alarm on nothing throws nothing", async () => {
    const id = uniqueId();
    await deliver(id);
    await field.messages(id);
    await claimOf("generic", id).settle({ status: "completed", opening: 0, stored: true });
    await age(id, FAST.completedKeptMs);
    await fireAlarm("generic", id);
    const nothing = { keys: [], alarmMs: null };
    expect(await inside("generic", id)).toEqual(nothing);
    await runInDurableObject(claimOf("generic", id), (instance) => (instance as unknown as { alarm(): Promise<void> }).alarm());
    expect(await inside("generic", id)).toEqual(nothing);
  });
  test("B98 in its lease, and claimed anew since the alarm was set, nothing is deleted and the alarm is set again", async () => {
    const id = uniqueId();
    await deliver(id);
    await field.messages(id);
    await fireAlarm("generic", id);
    expect(await inside("generic", id)).toMatchObject({ keys: ["claim"], alarmMs: expect.any(Number) });
    await claimOf("generic", id).settle({ status: "failed", opening: Date.now() + 1, stored: true });
    expect((await deliver(id)).kind).toBe("requeued");
    await fireAlarm("generic", id);
    expect((await look(id)).record).toMatchObject({ hasBytes: true });
    expect((await inside("generic", id)).alarmMs).toBeGreaterThan(Date.now());
  });
  test("B98 storage that throws within the alarm: said, tried later, and the state is whole", async () => {
    const id = uniqueId();
    await deliver(id);
    await field.messages(id);
    await claimOf("generic", id).settle({ status: "completed", opening: 0, stored: true });
    await age(id, FAST.completedKeptMs);
    await runInDurableObject(claimOf("generic", id), (_, { storage }) => {
      const real = storage.deleteAll.bind(storage);
      let isFirst = true;
      const once = (): Promise<void> => {
        if (!isFirst) return real();
        isFirst = false;
        return Promise.reject(new Error("Internal error in Durable Object storage deleteAll"));
      };
      if (!Reflect.defineProperty(storage, "deleteAll", { value: once })) throw new Error("deleteAll cannot be watched");
    });
    const { lines } = await logged(() => fireAlarm("generic", id));
    expect(lines).toContainEqual(expect.objectContaining({ level: "error", event: "alarm_failed" }));
    const { alarmMs } = await inside("generic", id);
    expect(alarmMs).toBeGreaterThan(Date.now());
    expect(alarmMs).toBeLessThanOrEqual(Date.now() + FAST.brokenAlarmMs);
    await fireAlarm("generic", id);
    await soon(async () => (await inside("generic", id)).keys).toEqual([]);
  });
});

// Last: it leaves many alarms behind, which later tests would wait for.
test("B77 one hot object on the ingest path overloads", { timeout: 60_000 }, async () => {
  const asked = new Map<string, number>();
  const CLAIMS = { getByName: (name: string) => (asked.set(name, (asked.get(name) ?? 0) + 1), env.CLAIMS.getByName(name)) };
  const ids = Array.from({ length: 200 }, () => uniqueId());
  const answers = await Promise.all(ids.map(async (id) => (await field.post(await delivery({ id }), { CLAIMS })).outcome));
  expect(new Set(answers)).toEqual(new Set(["queued"]));
  expect(Object.fromEntries(asked)).toEqual(Object.fromEntries(ids.map((id) => [`generic:${id}`, 1])));
});
