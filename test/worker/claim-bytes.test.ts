/** Promise 6 at the claim: the bytes that come out are those that went in, and nothing lies about that nobody needs. */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { BODY_LIMIT_BYTES, CHUNK_BYTES, RECORD_BODY_LIMIT_BYTES } from "../../src/core/limits.ts";
import { sha256Hex } from "../../src/digest.ts";
import { evict, holdAlarm, look } from "../support/claims.ts";
import { claimOf, patternBytes, post, sampleOf, uniqueId } from "../support/events.ts";
import { Inbox } from "../support/inbox.ts";

const inbox = Inbox.open();
/** Platform limit of a stored value, key included; locally it is larger (PLATFORM 1). */
const VALUE_LIMIT_BYTES = 2_000_000;

/** The bytes of every stored value, views with the buffers behind them. */
function storedBytes(id: string): Promise<readonly { readonly key: string; readonly length: number; readonly bufferLength: number }[]> {
  return runInDurableObject(claimOf(id), (_, { storage }) =>
    [...storage.kv.list<Uint8Array | { readonly body: Uint8Array | null }>()].map(([key, value]) => {
      const bytes = value instanceof Uint8Array ? value : value.body;
      return { key, length: bytes?.byteLength ?? 0, bufferLength: bytes?.buffer.byteLength ?? 0 };
    }),
  );
}

async function failedWithoutBytes(id: string): Promise<void> {
  await claimOf(id).settle({ status: "failed", opening: (await look(id)).record?.opening ?? 0, stored: true });
}

describe.each([
  ["empty", 0, ["claim"]],
  ["one byte", 1, ["claim"]],
  ["the largest inside the record", RECORD_BODY_LIMIT_BYTES, ["claim"]],
  ["one byte more", RECORD_BODY_LIMIT_BYTES + 1, ["chunk:0", "chunk:1", "claim"]],
  ["exactly two chunks", 2 * CHUNK_BYTES, ["chunk:0", "chunk:1", "claim"]],
  ["5 MB", 5_000_000, ["chunk:0", "chunk:1", "chunk:2", "claim"]],
  ["10 MiB", BODY_LIMIT_BYTES, ["chunk:0", "chunk:1", "chunk:2", "chunk:3", "chunk:4", "chunk:5", "claim"]],
])("a body: %s", (_, length, keys) => {
  test("comes back to the last bit after an eviction, from values that the platform accepts, and goes on completion", async () => {
    const id = uniqueId();
    const bytes = patternBytes(length, 1);
    const { facts } = await sampleOf(id, bytes);
    expect(await claimOf(id).deliver({ facts, bytes })).toMatchObject({ kind: "queued" });
    await holdAlarm(id);
    await evict(id);
    const stored = await storedBytes(id);
    expect(stored.map(({ key }) => key)).toEqual(keys);
    expect(stored.reduce((sum, value) => sum + value.length, 0)).toBe(length);
    for (const value of stored) {
      expect(value.bufferLength, value.key).toBe(value.length);
      // The record's facts need room beside the body.
      expect(value.length, value.key).toBeLessThanOrEqual(VALUE_LIMIT_BYTES - 50_000);
    }
    const { body } = await claimOf(id).load();
    expect(body?.digest).toBe(facts.digest);
    expect(body?.bytes.byteLength).toBe(length);
    expect(await sha256Hex(body?.bytes ?? new Uint8Array(1))).toBe(facts.digest);
    await claimOf(id).settle({ status: "completed", opening: 0, stored: true });
    expect((await look(id)).keys).toEqual(["claim"]);
    expect((await claimOf(id).load()).body).toBeNull();
  });
});

test("10 MiB through the front door: the message has no bytes, the claim has them all", async () => {
  const id = uniqueId();
  const bytes = patternBytes(BODY_LIMIT_BYTES, 2);
  expect(await post(id, bytes)).toEqual({ status: 202, outcome: "queued" });
  await holdAlarm(id);
  const [message] = await inbox.until(id, 1);
  expect(message).toMatchObject({ bytes: null, facts: { bytesLength: BODY_LIMIT_BYTES, digest: await sha256Hex(bytes) } });
  const { body } = await claimOf(id).load();
  expect(await sha256Hex(body?.bytes ?? new Uint8Array())).toBe(await sha256Hex(bytes));
});

test("claimed again with a shorter body, no chunk of the longer one is left", async () => {
  const id = uniqueId();
  const long = patternBytes(5_000_000, 3);
  await claimOf(id).deliver(await sampleOf(id, long));
  await failedWithoutBytes(id);
  expect((await look(id)).keys).toEqual(["claim"]);
  const short = patternBytes(2_000_000, 4);
  await claimOf(id).deliver(await sampleOf(id, short));
  await holdAlarm(id);
  expect((await look(id)).keys).toEqual(["chunk:0", "chunk:1", "claim"]);
  const { body } = await claimOf(id).load();
  expect(await sha256Hex(body?.bytes ?? new Uint8Array())).toBe(await sha256Hex(short));
});

test("bytes kept through a failure survive record writes: chunks stay with them", async () => {
  const id = uniqueId();
  const sample = await sampleOf(id, patternBytes(5_000_000, 5));
  await claimOf(id).deliver(sample);
  await claimOf(id).settle({ status: "failed", opening: (await look(id)).record?.opening ?? 0, stored: false });
  await evict(id);
  expect(await claimOf(id).deliver(sample)).toMatchObject({ kind: "requeued" });
  await holdAlarm(id);
  expect(await sha256Hex((await claimOf(id).load()).body?.bytes ?? new Uint8Array())).toBe(sample.facts.digest);
});

test("a view of a large buffer is stored alone: its buffer would cost 800,000 times its bytes", async () => {
  const id = uniqueId();
  const view = new Uint8Array(8_000_000).fill(9).subarray(100, 110);
  const { facts } = await sampleOf(id, view);
  // Inside the object, so that no RPC border has copied it before.
  expect(await runInDurableObject(claimOf(id), (instance) => instance.deliver({ facts, bytes: view }))).toMatchObject({ kind: "queued" });
  await holdAlarm(id);
  await evict(id);
  expect(await storedBytes(id)).toEqual([{ key: "claim", length: 10, bufferLength: 10 }]);
});
