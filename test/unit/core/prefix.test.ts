/** A prefix as a range: exactly what begins with it lies between. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { afterPrefix } from "../../../src/core/prefix.ts";

const text = fc.string({ unit: "binary", maxLength: 8 });
const bytes = (value: string): Buffer => Buffer.from(value, "utf8");

test("what lies from the prefix to its end begins with it, and nothing else does", () => {
  fc.assert(
    fc.property(text, text, (prefix, other) => {
      for (const id of [other, prefix + other]) {
        const end = afterPrefix(prefix);
        const isBetween = bytes(prefix).compare(bytes(id)) <= 0 && (end === null || bytes(id).compare(bytes(end)) < 0);
        expect(isBetween).toBe(id.startsWith(prefix));
      }
    }),
    { numRuns: 2_000 },
  );
});

test("the borders of Unicode have an end", () => {
  expect(afterPrefix("a\u{10FFFF}")).toBe("b");
  expect(afterPrefix("\u{10FFFF}")).toBeNull();
  expect(afterPrefix("\uD7FF")).toBe("\uE000");
  expect(afterPrefix("")).toBeNull();
});
