/** Bodies are bounded in size, time and memory, whatever their sender says, and the budget is always given back. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BODY_LIMIT_BYTES, BODY_RESERVE_BYTES } from "../../../src/core/limits.ts";
import { bodyBudget, readBody } from "../../../src/ingest/body.ts";

const LIMIT = 48 * 1024 * 1024;
const LONG_MS = 60_000;

interface Sent {
  readonly body: ReadableStream<Uint8Array> | null;
  readonly headers: Headers;
  /** How many chunks were taken from the sender, and whether the rest was refused. */
  readonly seen: { chunks: number; cancelled: boolean };
}

function sent(chunks: Iterable<Uint8Array>, contentLength?: number | string, end: "close" | "hang" | "abort" = "close"): Sent {
  const seen = { chunks: 0, cancelled: false };
  const source = chunks[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = source.next();
        if (next.done !== true) {
          seen.chunks++;
          controller.enqueue(next.value);
          return undefined;
        }
        if (end === "close") controller.close();
        if (end === "abort") controller.error(new Error("the client disconnected"));
        return end === "hang" ? new Promise(() => undefined) : undefined;
      },
      cancel() {
        seen.cancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, headers: new Headers(contentLength === undefined ? {} : { "content-length": String(contentLength) }), seen };
}

function* repeated(chunk: Uint8Array, times: number): Generator<Uint8Array> {
  for (let i = 0; i < times; i++) yield chunk;
}

const MEGABYTE = new Uint8Array(1024 * 1024).fill(7);
const read = (request: Pick<Sent, "body" | "headers">, budget = bodyBudget(LIMIT), ms = LONG_MS) => readBody(request, budget, ms);

describe("size", () => {
  it("gives the bytes as they came, however they are cut and whatever length is declared", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 8 }),
        fc.constantFrom("honest", "none", "less", "more", "nonsense"),
        async (chunks, says) => {
          const whole = Buffer.concat(chunks);
          const length = { honest: whole.length, none: undefined, less: Math.floor(whole.length / 2), more: whole.length + 99, nonsense: "1e3" }[
            says
          ];
          const budget = bodyBudget(LIMIT);
          const result = await read(sent(chunks, length), budget);
          if (!result.ok) throw new Error(result.failure);
          expect(Buffer.from(result.value.bytes).equals(whole)).toBe(true);
          expect(result.value.bytes.buffer.byteLength).toBe(whole.length);
          expect(budget.heldBytes).toBe(whole.length);
          result.value.release();
          expect(budget.heldBytes).toBe(0);
          result.value.release();
          expect(budget.heldBytes).toBe(0);
        },
      ),
    );
  });

  it("takes a body of exactly the limit, declared or not", async () => {
    for (const length of [BODY_LIMIT_BYTES, undefined]) {
      const result = await read(sent(repeated(MEGABYTE, 10), length));
      expect(result.ok && result.value.bytes.length).toBe(BODY_LIMIT_BYTES);
    }
  });

  it("cuts off one byte later, declared or not, and gives everything back", async () => {
    for (const length of [BODY_LIMIT_BYTES, undefined, 5]) {
      const budget = bodyBudget(LIMIT);
      const request = sent([...repeated(MEGABYTE, 10), Uint8Array.of(1)], length, "hang");
      expect(await read(request, budget)).toEqual({ ok: false, failure: "payload_too_large" });
      expect(request.seen.cancelled).toBe(true);
      expect(budget.heldBytes).toBe(0);
    }
  });

  it("cuts off a body that never ends", async () => {
    const request = sent(repeated(MEGABYTE, 1_000));
    expect(await read(request)).toEqual({ ok: false, failure: "payload_too_large" });
    expect(request.seen.chunks).toBe(11);
  });

  it("refuses what declares too much without reading any of it", async () => {
    for (const length of [BODY_LIMIT_BYTES + 1, 30_000_000, 999_999_999_999_999]) {
      const request = sent(repeated(MEGABYTE, 30), length);
      expect(await read(request)).toEqual({ ok: false, failure: "payload_too_large" });
      expect(request.seen).toEqual({ chunks: 0, cancelled: true });
    }
  });

  it("reads no body as an empty one", async () => {
    const budget = bodyBudget(0);
    const result = await read({ body: null, headers: new Headers({ "content-length": "5" }) }, budget);
    expect(result.ok && result.value.bytes.length).toBe(0);
    expect(budget.heldBytes).toBe(0);
  });
});

describe("memory", () => {
  it("is too busy before reading, when the declared length does not fit", async () => {
    const budget = bodyBudget(1_000);
    const first = await read(sent([new Uint8Array(800)], 800), budget);
    const request = sent([new Uint8Array(300)], 300);
    expect(await read(request, budget)).toEqual({ ok: false, failure: "too_busy" });
    expect(request.seen).toEqual({ chunks: 0, cancelled: true });
    if (first.ok) first.value.release();
    expect((await read(sent([new Uint8Array(300)], 300), budget)).ok).toBe(true);
  });

  it("reserves only a first portion of what is announced while nothing comes", async () => {
    const budget = bodyBudget(100 * BODY_RESERVE_BYTES);
    const pending = read(sent([], 90 * BODY_RESERVE_BYTES, "hang"), budget, 50);
    expect(budget.heldBytes).toBe(BODY_RESERVE_BYTES);
    expect(await pending).toEqual({ ok: false, failure: "body_timeout" });
    expect(budget.heldBytes).toBe(0);
  });

  it("grows an undeclared body within the budget, and is too busy beyond it", async () => {
    const chunk = new Uint8Array(BODY_RESERVE_BYTES);
    const budget = bodyBudget(3 * BODY_RESERVE_BYTES);
    const request = sent(repeated(chunk, 10));
    expect(await read(request, budget)).toEqual({ ok: false, failure: "too_busy" });
    expect(request.seen.cancelled).toBe(true);
    expect(budget.heldBytes).toBe(0);
    const result = await read(sent(repeated(chunk, 2)), budget);
    expect(result.ok && budget.heldBytes).toBe(2 * BODY_RESERVE_BYTES);
  });

  it("a content-length that lies low cannot hide what is held", async () => {
    const budget = bodyBudget(1_000);
    expect(await read(sent([new Uint8Array(2_000)], 10), budget)).toEqual({ ok: false, failure: "too_busy" });
    expect(budget.heldBytes).toBe(0);
  });
});

describe("time", () => {
  it("ends a body that hangs, and one that drips", async () => {
    const budget = bodyBudget(LIMIT);
    const hangs = sent([Uint8Array.of(1)], 10, "hang");
    expect(await read(hangs, budget, 30)).toEqual({ ok: false, failure: "body_timeout" });
    expect(hangs.seen.cancelled).toBe(true);
    const drips = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        controller.enqueue(Uint8Array.of(1));
      },
    });
    expect(await read({ body: drips, headers: new Headers() }, budget, 40)).toEqual({ ok: false, failure: "body_timeout" });
    expect(budget.heldBytes).toBe(0);
  });

  it("says that a sender hung up", async () => {
    const budget = bodyBudget(LIMIT);
    expect(await read(sent([Uint8Array.of(1)], 10, "abort"), budget)).toEqual({ ok: false, failure: "body_aborted" });
    expect(budget.heldBytes).toBe(0);
  });
});
