/** Decoders are total and strict: what they take back is what was written, what is malformed is null. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { concat, fromBase64, fromBase64Url, fromHex, toBase64, toBase64Url, toHex } from "../../../src/schemes/bytes.ts";
import { isSameText } from "../../../src/schemes/compare.ts";

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.base64String(),
  fc.string({ unit: fc.constantFrom(...Array.from("09afAFgG+/=-_ \n")) }),
);

describe.each([
  ["hex", fromHex, toHex, (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")],
  ["base64", fromBase64, toBase64, (bytes: Uint8Array) => Buffer.from(bytes).toString("base64")],
  ["base64url", fromBase64Url, toBase64Url, (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url")],
] as const)("%s", (name, from, to, oracle) => {
  it("agrees with Node and comes back", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(to(bytes)).toBe(oracle(bytes));
        expect(from(to(bytes))).toEqual(Uint8Array.from(bytes));
      }),
    );
  });

  it("is total, and one text is one value", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const bytes = from(text);
        if (bytes !== null) expect(to(bytes)).toBe(name === "hex" ? text.toLowerCase() : text);
      }),
      { numRuns: 500 },
    );
  });
});

it.each(["0", "0g", "g0", " 00", "00 ", "0x00", "+1", "-1", "００", "0\n"])("is not hex: %j", (text) => expect(fromHex(text)).toBeNull());
it.each(["A", "AA", "AAA", "AA=", "AB==", "A===", "AA==AA==", "AA ==", "AA==\n", "A-==", "====", "="])("is not base64: %j", (text) =>
  expect(fromBase64(text)).toBeNull(),
);
it.each(["A", "AB", "AA==", "A+", "A/", "AA "])("is not base64url: %j", (text) => expect(fromBase64Url(text)).toBeNull());

it("concatenates views, not their buffers", () => {
  const buffer = Uint8Array.of(1, 2, 3, 4);
  expect(concat([buffer.subarray(1, 2), Uint8Array.of(), buffer.subarray(3)])).toEqual(Uint8Array.of(2, 4));
});

it("compares texts as texts", async () => {
  expect(await isSameText("vt-test", "vt-test")).toBe(true);
  expect(await isSameText("", "")).toBe(true);
  for (const other of ["", "vt-tes", "vt-test ", "VT-TEST", "vt-test\0"]) expect(await isSameText(other, "vt-test")).toBe(false);
});
