/** The exact bytes of each element, for whatever white space, escapes and nesting a sender writes: checked against JSON.parse, which knows nothing of bytes. */
import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { JsonBody } from "../../../src/core/json-body.ts";
import { sliceItems, sliceText } from "../../../src/core/json-slices.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
const slices = (body: string | Uint8Array, ...path: string[]) => sliceItems(typeof body === "string" ? utf8(body) : body, path)?.map(text) ?? null;

const space = fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\r"), maxLength: 3 });
/** A string as somebody may write it: escapes where they are needed, and where they are not. */
const written = fc.string({ unit: "binary" }).chain((value) =>
  fc.array(fc.boolean(), { minLength: value.length, maxLength: value.length }).map((escaped) => {
    const plain = JSON.stringify(value);
    const all = `"${[...Array(value.length).keys()].map((at) => `\\u${value.charCodeAt(at).toString(16).padStart(4, "0")}`).join("")}"`;
    return escaped.some(Boolean) ? all : plain;
  }),
);
const number = fc.constantFrom("0", "-0", "1e400", "12345678901234567890123456789", "1.10", "-2E-7", "0.0000000000000000000001");
const { value: json } = fc.letrec<{ value: string }>((tie) => {
  const value = tie("value");
  const list = (open: string, close: string, one: fc.Arbitrary<string>) =>
    fc
      .tuple(
        fc.array(
          fc.tuple(space, one, space).map((parts) => parts.join("")),
          { maxLength: 4 },
        ),
        space,
      )
      .map(([all, inner]) => `${open}${all.length === 0 ? inner : all.join(",")}${close}`);
  const field = fc.tuple(written, space, space, value).map(([key, before, after, of]) => `${key}${before}:${after}${of}`);
  return {
    value: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      number,
      fc.constantFrom("true", "false", "null"),
      written,
      list("[", "]", value),
      list("{", "}", field),
    ),
  };
});
/** An array with the elements as they were written. */
const array = fc.tuple(space, fc.array(fc.tuple(space, json, space), { maxLength: 6 }), space).map(([before, all, after]) => ({
  body: `${before}[${all.map((parts) => parts.join("")).join(",")}]${after}`,
  elements: all.map(([, one]) => one),
}));

describe("of any array", () => {
  it("the slices are the elements as they were written, in their order", () => {
    fc.assert(
      fc.property(array, ({ body, elements }) => {
        expect(slices(body)).toEqual(elements);
        expect(slices(body)?.map((slice) => JSON.parse(slice))).toEqual(JSON.parse(body));
      }),
      { numRuns: 500 },
    );
  });

  it("also below fields whose names are written with escapes, between others of any kind", () => {
    fc.assert(
      fc.property(array, json, space, space, ({ body, elements }, other, before, after) => {
        const outer = `${before}{"a":${other},"\\u0069tems"${after}:${before}${body}${after},"z":${other}}`;
        expect(slices(outer, "items")).toEqual(elements);
        expect(slices(`{"data":${outer}}`, "data", "items")).toEqual(elements);
      }),
    );
  });

  it("also behind an asterisk: every element of every list, in their order", () => {
    fc.assert(
      fc.property(fc.array(array, { minLength: 1, maxLength: 4 }), space, (all, before) => {
        const body = `{"entry":${before}[${all.map((one) => `${before}{"other":[1,2],"changes":${one.body}}`).join(",")}]}`;
        expect(slices(body, "entry", "*", "changes")).toEqual(all.flatMap((one) => one.elements));
      }),
    );
  });
});

describe("the text at a path", () => {
  const at = (body: string, ...path: string[]) => sliceText(utf8(body), path);

  it("is the value as it was written, wherever it stands", () => {
    fc.assert(
      fc.property(json, json, space, (one, other, gap) => {
        expect(at(`${gap}{"x":${other},"\\u0069d":${gap}${one}${gap},"y":[${other},${gap}${one}]}`, "id")).toBe(one);
        expect(at(`{"x":${other},"y":[${other},${gap}${one}${gap}]}`, "y", "1")).toBe(one);
      }),
    );
  });

  it.each<[string, string[], string | null]>([
    ['{"id":1,"id":12345678901234567890}', ["id"], "12345678901234567890"],
    ['{"ids":1,"i":2}', ["id"], null],
    ['{"é":1.50}', ["é"], "1.50"],
    ['{"\\u00e9":1.50,"e":2}', ["é"], "1.50"],
    ["[1,2]", ["length"], null],
    ["[1,2]", ["01"], null],
    ["[1,2]", ["2"], null],
    ["5", [], "5"],
    ["5", ["id"], null],
  ])("%s %j", (body, path, expected) => expect(at(body, ...path)).toBe(expected));

  it("of a body full of numbers is found without another parse, however often it is asked for", () => {
    const parse = vi.spyOn(JSON, "parse");
    const body = new JsonBody(utf8(`{"all":[${"1,".repeat(1_000)}1],"id":18446744073709551615,"at":1.0}`));
    expect([body.textAt(["id"]), body.textAt(["at"]), body.textAt(["id"]), body.textAt(["all", "7"])]).toEqual([
      "18446744073709551615",
      "1.0",
      "18446744073709551615",
      "1",
    ]);
    expect(parse).toHaveBeenCalledTimes(1);
    parse.mockRestore();
  });
});

describe("whatever comes", () => {
  const path = fc.array(fc.constantFrom("*", "a", "items", "0", "__proto__", ""), { maxLength: 3 });
  const whole = (body: Uint8Array): boolean => {
    try {
      JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body));
      return true;
    } catch {
      return false;
    }
  };

  it("it never throws; bytes that are not JSON are null", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.string({ unit: fc.constantFrom(...Array.from('[]{}",:\\ 1ntrue-e.é')) }).map(utf8)),
        path,
        (body, steps) => {
          const found = sliceItems(body, steps);
          if (!whole(body)) expect(found).toBeNull();
          for (const slice of found ?? []) expect(whole(slice)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("of JSON cut off anywhere it makes nothing", () => {
    fc.assert(
      fc.property(array, fc.nat(), ({ body }, at) => {
        const cut = utf8(body.trimEnd()).subarray(0, at % utf8(body.trimEnd()).length);
        expect(sliceItems(cut, [])).toBeNull();
      }),
    );
  });

  it("of any JSON and any path it finds what JSON.parse does, or nothing", () => {
    fc.assert(
      fc.property(json, path, (body, steps) => {
        for (const slice of slices(body, ...steps) ?? []) expect(() => JSON.parse(slice)).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});

describe("the bytes", () => {
  it.each([
    ["escapes", String.raw`{"a":"\"],[\\","b":"\u00e9\/"}`],
    ["a closing bracket in a string", `{"a":"]}"}`],
    ["line ends of Windows", '{\r\n  "a": 1,\r\n  "b": [ 1,\r\n 2 ]\r\n}'],
    ["what is not ASCII", '{"ü":"żółć 日本 🙂"}'],
    ["numbers no double holds", "12345678901234567890.12345678901234567890e-3"],
    ["a backslash before the quote", String.raw`"\\"`],
    ["an empty string", '""'],
  ])("of %s stay as they are", (_what, element) => {
    expect(slices(`[${element},\t${element} ,\r\n${element}]`)).toEqual([element, element, element]);
    expect(slices(`{"items" : [${element}]}`, "items")).toEqual([element]);
  });

  it("after a byte order mark are found, and the mark is no item's", () => {
    expect(slices(new Uint8Array([0xef, 0xbb, 0xbf, ...utf8(" [1, 2]")]))).toEqual(["1", "2"]);
  });

  it("are views of the body: ten megabytes are not copied", () => {
    const body = utf8("[1,2]");
    expect(sliceItems(body, [])?.map((slice) => slice.buffer === body.buffer)).toEqual([true, true]);
  });

  it("of half a surrogate pair, written as an escape, are an item like any other", () => {
    expect(slices(String.raw`["\ud800"]`)).toEqual([String.raw`"\ud800"`]);
  });
});

describe("the place", () => {
  it.each<[string, string, string[], string[] | null]>([
    ["an empty array", "[]", [], []],
    ["an empty array with white space", " [ \n ] ", [], []],
    ["an object where the array is expected: its only element", '{"items":{"id":1}}', ["items"], ['{"id":1}']],
    ["a field that is not there", '{"other":[1]}', ["items"], null],
    ["a field that is no list", '{"items":5}', ["items"], null],
    ["a field that is null", '{"items":null}', ["items"], null],
    ["a string as the body", '"[1]"', [], null],
    ["a field of the same name further down", '{"data":{"items":[1]}}', ["items"], null],
    ["of two fields of one name the last", '{"items":[1],"items":[2]}', ["items"], ["2"]],
    ["a name that every object inherits", "{}", ["constructor"], null],
    ["a field called __proto__", '{"__proto__":[1]}', ["__proto__"], ["1"]],
    ["a list that is empty on the way", '{"entry":[]}', ["entry", "*", "changes"], []],
    ["the list on the way is not there", "{}", ["entry", "*", "changes"], null],
    ["the list on the way is none", '{"entry":{"changes":[1]}}', ["entry", "*", "changes"], null],
    ["all lists empty", '{"entry":[{"changes":[]},{"changes":[]}]}', ["entry", "*", "changes"], []],
    ["none of the elements has it", '{"entry":[{"messaging":[1]}]}', ["entry", "*", "changes"], null],
    ["some of the elements have it", '{"entry":[{"messaging":[1]},{"changes":[2]}]}', ["entry", "*", "changes"], ["2"]],
    ["a list of lists", "[[1,2],[],[3]]", ["*"], ["1", "2", "3"]],
  ])("%s", (_what, body, path, expected) => expect(slices(body, ...path)).toEqual(expected));
});

it("may be nested as deep as it is long", () => {
  const depth = 100_000;
  const deep = `${"[".repeat(depth)}${"]".repeat(depth)}`;
  const nested = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  for (const one of [deep, nested]) {
    // V8 parses deep JSON, or it refuses: then there is nothing to split, and nothing is thrown.
    const found = slices(`[${one},${one}]`);
    if (found !== null) expect(found.map((slice) => slice.length)).toEqual([one.length, one.length]);
  }
});
