/** Promises 1 and 2 at the claim: one delivery of a crowd is the first, and it is on disk before anybody hears of it. */
import { runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { evict, look, replaceQueue, soon } from "../support/claims.ts";
import { claimOf, jsonBytes, post, sampleOf, uniqueId } from "../support/events.ts";
import { Inbox } from "../support/inbox.ts";

const inbox = Inbox.open();

test("a forged delivery wakes no object and sends nothing", async () => {
  const getByName = vi.spyOn(env.CLAIMS, "getByName");
  const id = uniqueId();
  const response = await exports.default.fetch("http://localhost/webhooks/generic", {
    method: "POST",
    body: jsonBytes({ id }),
    headers: { "x-webhook-signature": "0".repeat(64), "x-webhook-id": id },
  });
  expect(response.status).toBe(401);
  expect(getByName).not.toHaveBeenCalled();
  getByName.mockRestore();
  expect(await look(id)).toMatchObject({ record: null, keys: [], alarmMs: null });
});

test("of 50 simultaneous deliveries of one event exactly one is queued, and one message is sent", async () => {
  const id = uniqueId();
  const bytes = jsonBytes({ id });
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(id, bytes)));
  const outcomes = answers.map(({ outcome }) => outcome);
  expect(outcomes.filter((outcome) => outcome === "queued")).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === "pending")).toHaveLength(49);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
  await soon(() => inbox.of(id).length).toBe(1);
  await inbox.drained();
  expect(inbox.of(id)).toHaveLength(1);
});

test("two events are never one: same id under 20 spellings, one queued each", async () => {
  const base = uniqueId();
  const ids = Array.from({ length: 20 }, (_, index) => `${base}${":".repeat(index)}`);
  const answers = await Promise.all(ids.map((id) => post(id, jsonBytes({ base }))));
  expect(answers.map(({ outcome }) => outcome)).toEqual(ids.map(() => "queued"));
});

test("what was acknowledged survives the object: a duplicate hears pending, and the bytes are there", async () => {
  const id = uniqueId();
  const bytes = jsonBytes({ id, exact: "ä\u{1f600}" });
  expect(await post(id, bytes)).toEqual({ status: 202, outcome: "queued" });
  await evict(id);
  expect(await look(id)).toMatchObject({ record: { status: "claimed", hasBytes: true, facts: { id, type: "credit" } }, keys: ["claim"] });
  expect(await post(id, bytes)).toEqual({ status: 202, outcome: "pending" });
  const { body } = await claimOf(id).load();
  expect(body?.bytes).toEqual(bytes);
});

test("the answer does not wait for the queue, and the claim is on disk before the queue hears of it", async () => {
  const id = uniqueId();
  const queue = Promise.withResolvers<void>();
  const onDisk: unknown[] = [];
  const { facts, bytes } = await sampleOf(id);
  await replaceQueue(id, (real) => async (body, options) => {
    onDisk.push(await runInDurableObject(claimOf(id), (_, state) => state.storage.kv.get("claim")));
    await queue.promise;
    return real(body, options);
  });
  expect(await claimOf(id).deliver({ facts, bytes })).toMatchObject({ kind: "queued", error: null });
  await soon(() => onDisk.length).toBe(1);
  expect(onDisk[0]).toMatchObject({ claim: { status: "claimed" } });
  expect(await claimOf(id).deliver({ facts, bytes })).toMatchObject({ kind: "pending" });
  expect(inbox.of(id)).toEqual([]);
  queue.resolve();
  await soon(() => inbox.of(id).length).toBe(1);
});

test("nothing is sent before the disk has confirmed the claim: a send is not always held back by the output gate", async () => {
  const id = uniqueId();
  const disk = Promise.withResolvers<void>();
  const order: string[] = [];
  await replaceQueue(id, (real) => (body, options) => {
    order.push("send");
    return real(body, options);
  });
  await runInDurableObject(claimOf(id), (_, { storage }) => {
    const confirmed = storage.sync.bind(storage);
    const sync = async (): Promise<void> => {
      order.push("sync");
      await disk.promise;
      await confirmed();
    };
    if (!Reflect.defineProperty(storage, "sync", { value: sync })) throw new Error("sync cannot be watched");
  });
  expect(await claimOf(id).deliver(await sampleOf(id))).toMatchObject({ kind: "queued" });
  await soon(() => order.length).toBe(1);
  expect(order).toEqual(["sync"]);
  disk.resolve();
  await inbox.until(id, 1);
  expect(order).toEqual(["sync", "send"]);
});

test("the message has the event's bytes, its opening and everything that the consumer needs", async () => {
  const id = uniqueId();
  const { facts, bytes } = await sampleOf(id);
  await claimOf(id).deliver({ facts, bytes });
  await soon(() => inbox.of(id).length).toBe(1);
  const { record } = await look(id);
  expect(inbox.of(id)[0]).toEqual({ v: 1, facts, bytes, opening: record?.opening, direct: false, duplicates: 0, mismatches: 0 });
});

test("other bytes under one id: the first are kept, the digest is told, the count reaches the queue and the next write", async () => {
  const id = uniqueId();
  const first = await sampleOf(id);
  const other = await sampleOf(id, jsonBytes({ id, amount: 1_000_000 }));
  await claimOf(id).deliver(first);
  await soon(() => inbox.of(id).length).toBe(1);
  expect(await claimOf(id).deliver(other)).toEqual({ error: null, kind: "pending", otherDigest: first.facts.digest });
  await soon(() => inbox.of(id).length).toBe(2);
  expect(inbox.of(id)[1]).toMatchObject({ mismatches: 1, duplicates: 1, bytes: first.bytes, facts: { digest: first.facts.digest } });
  expect((await claimOf(id).load()).body).toEqual({ digest: first.facts.digest, bytes: first.bytes });
  await claimOf(id).settle({ status: "completed", opening: 0, stored: true });
  expect((await look(id)).record).toMatchObject({ mismatches: 1, duplicates: 1, facts: { digest: first.facts.digest } });
  expect(await claimOf(id).deliver(other)).toMatchObject({ kind: "done", otherDigest: first.facts.digest });
});

test("payload_mismatch is logged with both digests, also when a dead letter is delivered again", async () => {
  const id = uniqueId();
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  await post(id, jsonBytes({ id, n: 1 }));
  await claimOf(id).settle({ status: "failed", opening: (await look(id)).record?.opening ?? 0, stored: true });
  expect(await post(id, jsonBytes({ id, n: 2 }))).toEqual({ status: 202, outcome: "requeued" });
  const lines = warn.mock.calls.map(([line]) => String(line)).filter((line) => line.includes(id));
  warn.mockRestore();
  expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual(
    expect.objectContaining({ event: "payload_mismatch", digest: expect.any(String), otherDigest: expect.any(String) }),
  );
});
