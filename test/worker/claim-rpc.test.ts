/** The claim's methods: they answer and never reject, garbage leaves no trace, and whoever calls puts a lost alarm right. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { timings } from "../../src/core/timings.ts";
import { evict, fireAlarm, holdAlarm, look, soon, tamper } from "../support/claims.ts";
import { claimOf, patternBytes, sampleOf, uniqueId } from "../support/events.ts";
import { Inbox } from "../support/inbox.ts";

const inbox = Inbox.open();
const FAST = timings("fast");
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  expect(inbox.unreadable).toEqual([]);
});

type Method = "deliver" | "adopt" | "settle" | "erase" | "load";
/** A caller of another version, as far as a type can say it. */
function call(id: string, method: Method, argument: unknown): Promise<{ readonly error: string | null }> {
  const stub = claimOf(id) as unknown as Record<Method, (argument: unknown) => Promise<{ readonly error: string | null }>>;
  return stub[method](argument);
}

const bytes = new Uint8Array([1, 2, 3]);
const facts = (await sampleOf("garbage", bytes)).facts;
const GARBAGE: Readonly<Record<Exclude<Method, "load">, readonly unknown[]>> = {
  deliver: [
    undefined,
    null,
    7,
    "text",
    {},
    { facts: null, bytes },
    { facts: {}, bytes },
    { facts: { ...facts, digest: undefined }, bytes },
    { facts: { ...facts, headers: null }, bytes },
    { facts, bytes: null },
    { facts, bytes: "text" },
    { facts, bytes: [1, 2, 3] },
    { facts },
  ],
  adopt: [
    undefined,
    null,
    {},
    { facts: {}, opening: 1, bytes },
    { facts, bytes },
    { facts, opening: "1", bytes },
    { facts, opening: Number.NaN, bytes },
    { facts, opening: 1, bytes: "text" },
  ],
  erase: [undefined, null, {}, { opening: "1" }, { opening: Number.NaN }],
  settle: [
    undefined,
    null,
    {},
    { status: "skipped", opening: 1, stored: true },
    { status: "pending", opening: 1, stored: true },
    { status: "failed" },
    { status: "failed", opening: Number.NaN, stored: true },
    { status: "failed", opening: "1", stored: true },
  ],
};
const cases = Object.entries(GARBAGE).flatMap(([method, all]) => all.map((argument, index) => [method as Method, index, argument] as const));

describe("garbage from a caller of another version", () => {
  test.each(cases)("%s, case %i, is an error in the answer, and the event can still be claimed", async (method, _, argument) => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const id = uniqueId();
    expect(await call(id, method, argument)).toMatchObject({ error: expect.any(String) });
    await evict(id);
    expect(await look(id)).toMatchObject({ record: null, keys: [], alarmMs: null });
    expect(await claimOf(id).deliver(await sampleOf(id))).toMatchObject({ error: null, kind: "queued" });
  });

  test.each(cases)("%s, case %i, does not harm a claim that stands", async (method, _, argument) => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const id = uniqueId();
    await claimOf(id).deliver(await sampleOf(id));
    await holdAlarm(id);
    const before = await look(id);
    expect(await call(id, method, argument)).toMatchObject({ error: expect.any(String) });
    await evict(id);
    expect(await look(id)).toMatchObject({ record: before.record, keys: before.keys });
  });

  test("fields that a later version adds are no garbage", async () => {
    const id = uniqueId();
    const sample = await sampleOf(id);
    expect(await call(id, "deliver", { ...sample, facts: { ...sample.facts, later: 1 }, later: 1 })).toMatchObject({ error: null });
    expect(await call(id, "settle", { status: "completed", opening: 1, stored: true, later: 1 })).toEqual({ error: null });
    expect(await call(id, "load", undefined)).toEqual({ error: null, body: null });
  });
});

test("storage that refuses is an error in the answer: not claimed, nothing half there, and the next delivery is the first", async () => {
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  const id = uniqueId();
  const sample = await sampleOf(id, patternBytes(5_000_000, 6));
  // The chunks are written before the record, which is larger than even the local storage takes.
  const headers = { big: "x".repeat(12_000_000) };
  expect(await claimOf(id).deliver({ facts: { ...sample.facts, headers }, bytes: sample.bytes })).toMatchObject({
    error: expect.any(String),
    kind: null,
  });
  expect(error.mock.calls.some(([line]) => String(line).includes("claim_failed"))).toBe(true);
  expect(await look(id)).toMatchObject({ record: null, keys: [], alarmMs: null });
  expect(await claimOf(id).deliver(sample)).toMatchObject({ error: null, kind: "queued" });
  expect((await claimOf(id).load()).body?.digest).toBe(sample.facts.digest);
});

describe("an alarm that the platform lost", () => {
  const rearmed = (id: string) => soon(async () => (await look(id)).alarmMs).not.toBeNull();

  const CALLS: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
    "a duplicate": async (id) => claimOf(id).deliver(await sampleOf(id)),
    "an adoption": async (id) => claimOf(id).adopt({ ...(await sampleOf(id)), opening: 1 }),
    "a late failure": (id) => claimOf(id).settle({ status: "failed", opening: 1, stored: true }),
    "a load": (id) => claimOf(id).load(),
  };
  test.each(Object.entries(CALLS))("is armed again by %s", async (_, call) => {
    const id = uniqueId();
    await claimOf(id).deliver(await sampleOf(id));
    await holdAlarm(id);
    await tamper(id, ({ storage }) => storage.deleteAlarm());
    await call(id);
    await rearmed(id);
  });

  test("or that is overdue is armed again; one that is only late is left alone", async () => {
    const id = uniqueId();
    const sample = await sampleOf(id);
    await claimOf(id).settle({ status: "completed", opening: 0, stored: true });
    await holdAlarm(id);
    const heldMs = (await look(id)).alarmMs ?? 0;
    vi.useFakeTimers({ toFake: ["Date"], now: heldMs + FAST.alarmOverdueMs - 1_000 });
    await claimOf(id).deliver(sample);
    expect((await look(id)).alarmMs).toBe(heldMs);
    vi.setSystemTime(heldMs + FAST.alarmOverdueMs + 1);
    await claimOf(id).deliver(sample);
    await soon(async () => (await look(id)).alarmMs).toBeGreaterThan(Date.now());
  });

  test("or that was set for nothing ends there: an empty object stays empty", async () => {
    const id = uniqueId();
    await tamper(id, ({ storage }) => storage.setAlarm(Date.now() + 3_600_000));
    expect(await fireAlarm(id)).toBe(true);
    expect(await look(id)).toMatchObject({ record: null, keys: [], alarmMs: null });
  });
});
