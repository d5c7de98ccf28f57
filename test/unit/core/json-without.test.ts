/** What is left of a JSON body without some fields: written as its sender wrote it, to the last digit. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { steps } from "../../../src/core/delivery.ts";
import { withoutFields } from "../../../src/core/json-without.ts";

const without = (text: string, ...paths: readonly string[]): string =>
  new TextDecoder().decode(withoutFields(new TextEncoder().encode(text), paths.map(steps)));

it.each([
  ["a field, wherever it stands", '{"a":1,"n":2,"b":3}', '{"a":1,"b":3}'],
  ["the first field", '{"n":2,"b":3}', '{"b":3}'],
  ["the last field", '{"b":3,"n":2}', '{"b":3}'],
  ["the only field", '{"n":2}', "{}"],
  ["a field that is not there", '{"b":3}', '{"b":3}'],
  ["a field of each of its names", '{"n":1,"b":3,"n":{"n":[1,"}"]}}', '{"b":3}'],
  ["a field whose name is written with an escape", '{"\\u006e":1,"b":3}', '{"b":3}'],
  ["only where the path says", '{"a":{"n":1},"b":[{"n":1}]}', '{"a":{"n":1},"b":[{"n":1}]}'],
  ["space between tokens, and none inside a text", ' {\n\t"a" : [ 1 , "x  y" ] , "n" : 1 }\r\n', '{"a":[1,"x  y"]}'],
  ["a byte order mark", '\ufeff{"a":1,"n":2}', '{"a":1}'],
  ["nothing of a root that is no object", "17", "17"],
  ["nothing of a list", '[{"n":1}]', '[{"n":1}]'],
])("leaves out %s", (_, text, left) => expect(without(text, "n")).toBe(left));

it("goes down a path, and into each element", () => {
  expect(without('{"meta":{"attempt":1,"id":"x"},"attempt":2}', "meta.attempt")).toBe('{"meta":{"id":"x"},"attempt":2}');
  expect(without('{"items":[{"n":1,"a":1},{"n":2,"a":2}]}', "items.*.n")).toBe('{"items":[{"a":1},{"a":2}]}');
  expect(without('{"retry":1,"meta":{"attempt":1},"x":[]}', "retry", "meta.attempt")).toBe('{"meta":{},"x":[]}');
});

it("keeps numbers that a double would not tell apart", () => {
  expect(without('{"id":9007199254740993,"n":1}', "n")).toBe('{"id":9007199254740993}');
  expect(without('{"id":1.0,"big":1e400,"n":1}', "n")).toBe('{"id":1.0,"big":1e400}');
});

it("overflows no stack, however deep the body is nested", () => {
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  expect(without(`{"a":${deep},"n":1}`, "n", "a.*.*.n")).toBe(`{"a":${deep}}`);
});

it("is what a parser would leave, of any JSON", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("n", "a", "b", "c d"), fc.jsonValue({ depthSize: "small" })), fc.nat(4), (object, indent) => {
      const { n: _, ...rest } = object;
      expect(JSON.parse(without(JSON.stringify(object, null, indent), "n"))).toEqual(JSON.parse(JSON.stringify(rest)));
    }),
  );
});
