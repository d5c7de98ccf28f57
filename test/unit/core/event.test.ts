/** Names that cannot collide, and copies that own their bytes. */
import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { eventKeyText, owned, SOURCE_NAME } from "../../../src/core/event.ts";
import { EVENT_ID_LIMIT_BYTES, SOURCE_NAME_LIMIT_BYTES } from "../../../src/core/limits.ts";
import { eventIds, sourceNames } from "./facts.ts";

const OBJECT_NAME_LIMIT_BYTES = 1_024;
const keys = fc.record({ source: sourceNames, id: eventIds });

describe("the key's text", () => {
  it("is another one for every other pair", () => {
    fc.assert(
      fc.property(keys, keys, (left, right) => {
        expect(eventKeyText(left) === eventKeyText(right)).toBe(left.source === right.source && left.id === right.id);
      }),
      { numRuns: 1_000 },
    );
  });

  it("gives the pair back: everything that moves the border between the two is noticed", () => {
    fc.assert(
      fc.property(keys, fc.constantFrom("", ":", "::", "a:b:"), ({ source, id }, prefix) => {
        const key = { source, id: `${prefix}${id}` };
        const text = eventKeyText(key);
        const colon = text.indexOf(":");
        expect({ source: text.slice(0, colon), id: text.slice(colon + 1) }).toEqual(key);
      }),
    );
  });

  it("`a` + `b:c` is not `a-b` + `c`, and the spelling of an id matters", () => {
    const pairs = [
      ["a", "b:c"],
      ["a-b", "c"],
      ["ab", ":c"],
      ["a", "b:C"],
      ["a", "b:c "],
      ["a", "é"],
      ["a", "e\u0301"],
    ] as const;
    expect(new Set(pairs.map(([source, id]) => eventKeyText({ source, id }))).size).toBe(pairs.length);
  });

  it("fits an object's name at its longest", () => {
    const longest = eventKeyText({ source: "s".repeat(SOURCE_NAME_LIMIT_BYTES), id: "i".repeat(EVENT_ID_LIMIT_BYTES) });
    expect(Buffer.byteLength(longest)).toBeLessThanOrEqual(OBJECT_NAME_LIMIT_BYTES);
  });
});

describe("a source's name", () => {
  it.each(["", "a:b", "-a", "a-", "A", "a_b", "a b", "a/b", "ä", "a.b", "a\n", "a".repeat(65), "__proto__"])("cannot be %j", (name) =>
    expect(SOURCE_NAME.test(name)).toBe(false),
  );
  it.each(["a", "7", "stripe", "stripe-eu", "a--b", "a".repeat(64)])("can be %j", (name) => expect(SOURCE_NAME.test(name)).toBe(true));
});

describe("an owned copy", () => {
  it("has a buffer of its own, of its own length", () => {
    const whole = new Uint8Array([1, 2, 3, 4, 5, 6]);
    const copy = owned(whole.subarray(2, 4));
    expect([...copy]).toEqual([3, 4]);
    expect(copy.buffer.byteLength).toBe(2);
    whole.fill(0);
    expect([...copy]).toEqual([3, 4]);
  });

  it("of Node's Buffer is a copy too: its slice would be a view", () => {
    const pooled = Buffer.from("abcdef");
    const copy = owned(pooled);
    pooled.fill(0);
    expect(new TextDecoder().decode(copy)).toBe("abcdef");
    expect(copy.buffer.byteLength).toBe(6);
  });
});
