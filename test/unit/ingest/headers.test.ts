/** Kept headers hold nothing that authenticates, and never outgrow their column. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HEADERS_LIMIT_BYTES } from "../../../src/core/limits.ts";
import { keptHeaders } from "../../../src/ingest/headers.ts";
import { generic } from "../../../src/providers/generic.ts";
import { stripe } from "../../../src/providers/stripe.ts";

const kept = (headers: Record<string, string>) => keptHeaders(new Headers(headers), stripe().scheme);

it.each([
  "Authorization",
  "Proxy-Authorization",
  "Cookie",
  "Set-Cookie",
  "CF-Access-Jwt-Assertion",
  "CF-Access-Client-Secret",
  "Stripe-Signature",
  "X-Hub-Signature",
  "X-Hub-Signature-256",
  "X-Shopify-Hmac-Sha256",
  "X-Gitlab-Token",
  "X-Api-Key",
  "ApiKey",
  "X-Client-Secret",
  "X-Auth-User",
  "X-Airtable-Content-MAC",
  "MessageBird-Signature-JWT",
])("%s is not kept", (name) => expect(kept({ [name]: "CANARY" })).toEqual({}));

it("the scheme's own header is not kept, whatever it is called", () => {
  const { scheme } = generic();
  if (scheme.kind !== "hmac") throw new Error("not HMAC");
  const other = { ...scheme, signature: { ...scheme.signature, at: [{ header: "x-proof" }] } };
  expect(keptHeaders(new Headers({ "x-proof": "c0ffee", "x-other": "1" }), other)).toEqual({ "x-other": "1" });
});

it("the provider's words are kept, in lower case and as they are", () => {
  expect(
    kept({ "X-GitHub-Event": "push", "X-Slack-Retry-Num": "1", "Content-Type": "application/json; charset=utf-8", "User-Agent": 'a "b" \\ c' }),
  ).toEqual({
    "x-github-event": "push",
    "x-slack-retry-num": "1",
    "content-type": "application/json; charset=utf-8",
    "user-agent": 'a "b" \\ c',
  });
});

it("the edge's words are not", () => {
  expect(
    kept({ "CF-Ray": "1", "CF-Connecting-IP": "192.0.2.1", "X-Forwarded-For": "192.0.2.1", "X-Real-IP": "192.0.2.1", Accept: "*/*", Host: "x" }),
  ).toEqual({});
});

it("a header named as a prototype is only a header", () => {
  const headers = kept({ __proto__x: "1", constructor: "2", ["__proto__"]: "3" });
  expect(Object.getPrototypeOf(headers)).toBe(Object.prototype);
  expect(headers["constructor"]).toBe("2");
});

describe("over the limit", () => {
  it("keeps what fits in order of name, and goes on after one that does not", () => {
    const headers = { "x-a": "1", "x-b": "b".repeat(8_000), "x-c": "c".repeat(8_000), "x-d": "d" };
    expect(Object.keys(kept(headers))).toEqual(["x-a", "x-b", "x-d"]);
    expect(Object.keys(kept(Object.fromEntries(Object.entries(headers).toReversed())))).toEqual(["x-a", "x-b", "x-d"]);
  });

  it("never weighs more, as it is stored, and is always clean", () => {
    const value = fc.string({
      unit: fc
        .integer({ min: 0x20, max: 0xff })
        .filter((code) => code !== 0x7f)
        .map((code) => String.fromCharCode(code)),
      maxLength: 3_000,
    });
    const name = fc.string({ unit: fc.constantFrom(...Array.from("abcxyz-_")), minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.dictionary(name, value, { maxKeys: 30 }), (headers) => {
        const text = JSON.stringify(kept(headers));
        expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(HEADERS_LIMIT_BYTES);
        expect(text.includes("\0")).toBe(false);
      }),
    );
  });

  it("leaves out what no column takes", () => {
    const odd = new Map([
      ["x-nul", "a\0b"],
      ["x-lone", "\ud83d"],
      ["x-fine", "1"],
    ]);
    expect(keptHeaders(odd as unknown as Headers, stripe().scheme)).toEqual({ "x-fine": "1" });
  });
});
