/** JSON for an operator's eyes: what was written, on more lines. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { shownPayload } from "../../../src/core/payload.ts";
import { prettyJson } from "../../../src/core/pretty-json.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("JSON is indented as JavaScript would do it", () => {
  // Keys that look like numbers are put in order by JavaScript, `__proto__` is lost.
  const value = fc.jsonValue({ maxDepth: 5 }).map((one) => JSON.parse(JSON.stringify(one)) as unknown);
  fc.assert(
    fc.property(value, (one) => {
      expect(prettyJson(JSON.stringify(one))).toBe(JSON.stringify(one, null, 2));
    }),
    { numRuns: 500 },
  );
});

test("numbers beyond 2^53, doubled keys and odd escapes stay as they were written", () => {
  expect(prettyJson('{"id":820982911946154508,"a":1,"a":1.50,"s":"\\u00e9\\"}"}')).toBe(
    '{\n  "id": 820982911946154508,\n  "a": 1,\n  "a": 1.50,\n  "s": "\\u00e9\\"}"\n}',
  );
});

test("what is no JSON has no pretty form", () => {
  for (const text of ["", "{", "a=1", "{'a':1}", '{"a":1}}', "\uFEFF{}", "NaN"]) expect(prettyJson(text), text).toBeNull();
});

test("a body of a hundred thousand brackets is shown, or not, within a moment and within bounds", () => {
  const startMs = performance.now();
  const pretty = prettyJson("[".repeat(100_000) + "]".repeat(100_000));
  expect(pretty === null || pretty.length < 2 * 1024 * 1024).toBe(true);
  expect(performance.now() - startMs).toBeLessThan(2_000);
});

test("bytes that are no text have none, and a cut splits no character", () => {
  expect(shownPayload(new Uint8Array([0xff, 0xfe]), false)).toEqual({ text: null, pretty: null, isCut: false });
  expect(shownPayload(bytes("aé").subarray(0, 2), true)).toEqual({ text: "a", pretty: null, isCut: true });
  expect(shownPayload(bytes("aé").subarray(0, 2), false).text).toBeNull();
  expect(shownPayload(bytes('{"a":1}'), false).pretty).toBe('{\n  "a": 1\n}');
  expect(shownPayload(bytes('{"a":1}'), true).pretty).toBeNull();
});
