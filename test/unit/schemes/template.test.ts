/** What is signed: each part, as the provider's page has it, exactly. */
import * as fc from "fast-check";
import { crc32 as zlibCrc32 } from "node:zlib";
import { expect, it } from "vitest";
import { Delivery, header, json, query } from "../../../src/core/delivery.ts";
import { assemble, crc32, type Part } from "../../../src/schemes/template.ts";
import { bytes } from "./requests.ts";

const FORM = "application/x-www-form-urlencoded";

const text = async (parts: readonly Part[], over: { url?: string; headers?: Record<string, string>; body?: string } = {}) => {
  const delivery = new Delivery({
    method: "POST",
    url: over.url ?? "https://hooks.example/webhooks/x?a=1&b=%C3%A9'",
    headers: new Headers(over.headers),
    body: bytes(over.body ?? '{"id":12345678901234567890,"s":"x","n":null,"deep":{"ok":true}}'),
  });
  const result = await assemble(parts, { delivery, timestamp: "T", secret: "SECRET" });
  return result.ok ? new TextDecoder().decode(result.value) : result.failure;
};

it.each<[readonly Part[], string]>([
  [["method", { literal: ":" }, "timestamp", "secret"], "POST:TSECRET"],
  [["url"], "https://hooks.example/webhooks/x?a=1&b=%C3%A9'"],
  [["target"], "/webhooks/x?a=1&b=%C3%A9'"],
  [[query("b")], "é'"],
  [[json("id"), { literal: "/" }, json("deep.ok")], "12345678901234567890/true"],
  [[{ optional: json("n") }, { optional: json("missing") }, { optional: json("s") }], "x"],
  [
    [
      { when: json("s"), parts: [{ literal: "s=" }, json("s")] },
      { when: json("missing"), parts: [json("missing")] },
    ],
    "s=x",
  ],
])("%j", async (parts, expected) => expect(await text(parts)).toBe(expected));

it("says what is missing", async () => {
  expect(await text([header("x-id")])).toEqual({ reason: "signed_part_missing", place: "the header x-id" });
  expect(await text([json("n")])).toEqual({ reason: "signed_part_missing", place: '"n" in the body' });
  expect(await text([json("s")], { body: "not json" })).toMatchObject({ reason: "signed_part_missing" });
  expect(await text([{ lower: query("a") }], { url: "https://hooks.example/" })).toMatchObject({ reason: "signed_part_missing" });
});

it("lower-cases what a provider lower-cases", async () => {
  expect(await text([{ lower: query("id") }], { url: "https://hooks.example/?id=AbC" })).toBe("abc");
});

it("sorts form fields by name, and takes each of their values once", async () => {
  const form = { headers: { "content-type": FORM }, body: "b=2&a=%C3%A9+x&b=1&b=2&Z=&%61=0" };
  expect(await text(["sorted_form"], form)).toBe("Za0aé xb1b2");
  expect(await text(["sorted_form"], { body: "b=2" })).toBe("");
});

it("joins the headers that are listed, sorted, in lower case", async () => {
  const parts: readonly Part[] = [{ signedHeaders: "x-signed" }];
  expect(await text(parts, { headers: { "x-signed": "X-B,x-a", "x-a": "1", "x-b": "2" } })).toBe("x-a:1;x-b:2");
  for (const list of ["x-a,x-gone", "", "x-a,,x-b", "a b", "\u00e9"])
    expect(await text(parts, { headers: { "x-signed": list, "x-a": "1", "x-b": "2" } }), list).toMatchObject({ reason: "signed_part_missing" });
});

it("takes no list of headers that leaves out one that must be signed, whatever another header's value imitates", async () => {
  const parts: readonly Part[] = [{ signedHeaders: "x-signed", including: ["x-signed", "x-time"] }];
  expect(await text(parts, { headers: { "x-signed": "x-signed,x-time", "x-time": "1" } })).toBe("x-signed:x-signed,x-time;x-time:1");
  const imitated = { a: "1;x-signed:a,x-signed,x-time;x-time:1", "x-time": "2" };
  for (const list of ["a", "a,x-time", "a,x-signed"])
    expect(await text(parts, { headers: { ...imitated, "x-signed": list } }), list).toMatchObject({ reason: "signed_part_missing" });
});

it("digests of the body", async () => {
  expect(await text(["body_sha256_hex"], { body: "abc" })).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(await text(["body_crc32"], { body: "123456789" })).toBe("3421780262");
});

it("crc32 is zlib's", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (body) => {
      expect(crc32(body)).toBe(zlibCrc32(body));
    }),
  );
});
