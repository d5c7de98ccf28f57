/** DESIGN 3.3: a message is under 64,000 bytes by arithmetic, and what is read is what was written, or refused. */
import { serialize, deserialize } from "node:v8";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MESSAGE_LIMIT_BYTES } from "../../../src/core/limits.ts";
import { decodeMessage, encodeMessage, fitsMessage, MESSAGE_VERSION, type MessageParts } from "../../../src/core/message.ts";
import { arbitraryFacts, factsOf, messageOf } from "./facts.ts";

/** What the platform adds to each message (PLATFORM 2). */
const PLATFORM_METADATA_BYTES = 100;
const parts = (more: Partial<MessageParts>): MessageParts => ({
  facts: factsOf(),
  opening: 1,
  direct: false,
  duplicates: 0,
  mismatches: 0,
  bytes: null,
  ...more,
});
const counters = fc.record({ opening: fc.maxSafeNat(), direct: fc.boolean(), duplicates: fc.maxSafeNat(), mismatches: fc.maxSafeNat() });
/** The largest body that still fits these facts. */
function largestFit(facts: ReturnType<typeof factsOf>): number {
  let [low, high] = [0, MESSAGE_LIMIT_BYTES];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fitsMessage({ ...facts, bytesLength: middle })) low = middle;
    else high = middle - 1;
  }
  return low;
}

describe("size", () => {
  it("is under the limit with the largest body that fits, whatever the texts are made of", () => {
    fc.assert(
      fc.property(arbitraryFacts, counters, (anyFacts, rest) => {
        const bytesLength = largestFit(anyFacts);
        const facts = { ...anyFacts, bytesLength };
        const message = encodeMessage({ ...rest, facts, bytes: new Uint8Array(bytesLength).fill(0xff) });
        expect(message.bytes).toHaveLength(bytesLength);
        expect(serialize(message).length + PLATFORM_METADATA_BYTES).toBeLessThanOrEqual(MESSAGE_LIMIT_BYTES);
      }),
      { numRuns: 300 },
    );
  });

  it("without bytes is always under the limit, for all that ingest lets through", () => {
    fc.assert(
      fc.property(arbitraryFacts, counters, (facts, rest) => {
        const size = serialize(encodeMessage({ ...rest, facts, bytes: null })).length;
        expect(size + PLATFORM_METADATA_BYTES).toBeLessThanOrEqual(MESSAGE_LIMIT_BYTES);
      }),
      { numRuns: 300 },
    );
  });

  it("many tiny headers cost what they cost, not what their letters count", () => {
    const headers = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`x${index}`, "€"]));
    const facts = factsOf({ headers });
    const bytesLength = largestFit(facts);
    const message = encodeMessage(parts({ facts: { ...facts, bytesLength }, bytes: new Uint8Array(bytesLength) }));
    expect(serialize(message).length + PLATFORM_METADATA_BYTES).toBeLessThanOrEqual(MESSAGE_LIMIT_BYTES);
  });

  it("an ordinary event of 60 kB rides along; the arithmetic does not waste the message", () => {
    expect(fitsMessage(factsOf({ bytesLength: 60_000, headers: { "user-agent": "x".repeat(200) } }))).toBe(true);
    expect(fitsMessage(factsOf({ bytesLength: MESSAGE_LIMIT_BYTES }))).toBe(false);
  });
});

describe("bytes", () => {
  it("that do not fit are left out; the facts still say how many there are", () => {
    const bytes = new Uint8Array(MESSAGE_LIMIT_BYTES);
    const message = encodeMessage(parts({ facts: factsOf({ bytesLength: bytes.byteLength }), bytes }));
    expect(message.bytes).toBeNull();
    expect(message.facts.bytesLength).toBe(MESSAGE_LIMIT_BYTES);
  });

  it("are a copy: a view would be sent with its whole buffer", () => {
    const bytes = new Uint8Array(1_000_000).fill(7).subarray(10, 20);
    const message = encodeMessage(parts({ facts: factsOf({ bytesLength: 10 }), bytes }));
    expect(message.bytes?.buffer.byteLength).toBe(10);
    expect(message.bytes).toEqual(new Uint8Array(10).fill(7));
    expect(message.bytes?.buffer).not.toBe(bytes.buffer);
  });
});

describe("reading", () => {
  it("gives back what was written, through the queue's serialisation", () => {
    fc.assert(
      fc.property(arbitraryFacts, counters, fc.option(fc.uint8Array({ maxLength: 2_000 })), (anyFacts, rest, bytes) => {
        const facts = { ...anyFacts, bytesLength: bytes?.byteLength ?? anyFacts.bytesLength };
        const message = encodeMessage({ ...rest, facts, bytes });
        const read = decodeMessage(deserialize(serialize(message)));
        expect(read).toMatchObject({ ok: true });
        // A Uint8Array of Node's v8 is a Buffer.
        if (read.ok) expect({ ...read.value, bytes: read.value.bytes === null ? null : new Uint8Array(read.value.bytes) }).toEqual(message);
      }),
      { numRuns: 300 },
    );
  });

  const malformed: readonly (readonly [string, unknown])[] = [
    ["nothing", undefined],
    ["null", null],
    ["text", JSON.stringify(messageOf())],
    ["an array", [messageOf()]],
    ["a version that is text", { ...messageOf(), v: "1" }],
    ["no version", { ...messageOf(), v: undefined }],
    ["no facts", { ...messageOf(), facts: null }],
    ["facts in a list", { ...messageOf(), facts: [factsOf()] }],
    ["headers in a list", { ...messageOf(), facts: { ...factsOf(), headers: [] } }],
    ["bytes as numbers", { ...messageOf(), bytes: [1, 2] }],
    ["bytes as a buffer", { ...messageOf(), bytes: new ArrayBuffer(1) }],
    ["bytes left out", { ...messageOf(), bytes: undefined }],
  ];
  it.each(malformed)("refuses %s", (_, body) => expect(decodeMessage(body)).toEqual({ ok: false, failure: { reason: "message_malformed" } }));

  it("refuses a message that lacks any of its fields, or has another type there", () => {
    const message = messageOf({ bytes: new Uint8Array(1) });
    for (const field of Object.keys(message).filter((name) => name !== "v"))
      for (const wrong of [undefined, Symbol("x")]) expect(decodeMessage({ ...message, [field]: wrong }), field).toMatchObject({ ok: false });
    for (const field of Object.keys(message.facts))
      for (const wrong of [undefined, Symbol("x")])
        expect(decodeMessage({ ...message, facts: { ...message.facts, [field]: wrong } }), field).toMatchObject({ ok: false });
  });

  it("knows a newer version from garbage: a deploy is under way", () => {
    const newer = { v: MESSAGE_VERSION + 1, something: "else" };
    expect(decodeMessage(newer)).toEqual({ ok: false, failure: { reason: "message_version_unknown", version: MESSAGE_VERSION + 1 } });
  });

  it("bears fields that a later version of the same shape adds", () => {
    expect(decodeMessage({ ...messageOf(), later: true })).toMatchObject({ ok: true });
  });

  it("never throws, whatever lies in the queue", () => {
    fc.assert(
      fc.property(fc.anything(), (body) => {
        expect(decodeMessage(body).ok).toBe(false);
      }),
    );
  });
});
