/** What a stranger can make us compute before the signature is known to be wrong: bodies to parse, lists to go through, keys to try. */
import { afterEach, describe, expect, it, vi, type MockInstance } from "vitest";
import { Delivery } from "../../../src/core/delivery.ts";
import { FORM_FIELDS_LIMIT, SIGNED_ITEMS_LIMIT, UNVERIFIED_PARSE_LIMIT_BYTES } from "../../../src/core/limits.ts";
import { adyen } from "../../../src/providers/adyen.ts";
import { braintree } from "../../../src/providers/braintree.ts";
import { github } from "../../../src/providers/github.ts";
import { linear } from "../../../src/providers/linear.ts";
import { mailgun } from "../../../src/providers/mailgun.ts";
import { paypal } from "../../../src/providers/paypal.ts";
import { persona } from "../../../src/providers/persona.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import { standardWebhooksAsymmetric } from "../../../src/schemes/standard-webhooks.ts";
import { newKeys, sign, verify, type Scheme } from "../../../src/schemes/scheme.ts";
import { parsesUnverified } from "../../../src/schemes/unverified.ts";
import { presetFiles } from "../providers/presets.ts";
import { at, bytes, NOW_MS, only, URL_SIGNED } from "./requests.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const delivery = (body: Uint8Array, headers: Record<string, string> = {}) =>
  new Delivery({ method: "POST", url: URL_SIGNED, headers: new Headers(headers), body });
const outcome = async (scheme: Scheme, secret: string, body: Uint8Array, headers: Record<string, string> = {}) => {
  const result = await verify(scheme, delivery(body, headers), only(secret), at());
  return result.ok ? result.value.matched : result.failure.reason;
};
const signedBy = async (provider: Provider, secret: string, body: Uint8Array, headers: Record<string, string> = {}) =>
  sign(provider.scheme, { method: "POST", url: URL_SIGNED, headers, id: "1", timestampMs: NOW_MS, body }, { secret, privateKey: null });

/** What was parsed of the request: the test runner parses too. */
const parsed = (parse: MockInstance<typeof JSON.parse>) => parse.mock.calls.filter(([text]) => /notificationItems|\[\],/.test(text));

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a parse bomb", () => {
  const bomb = bytes(`{"a":[${"[],".repeat(400_000)}[]]}`);

  it("costs a 401 and no parse where the signature is in the body", async () => {
    const parse = vi.spyOn(JSON, "parse");
    expect(await outcome(mailgun().scheme, "s", bomb)).toBe("unverified_too_large");
    expect(await outcome(adyen().scheme, "ab", bomb)).toBe("unverified_too_large");
    expect(parsed(parse)).toHaveLength(0);
  });

  it("costs a MAC and no parse where the body is signed as it is, also where a time stands in it (Linear)", async () => {
    const headers = { "linear-signature": "00".repeat(32), "x-hub-signature-256": `sha256=${"00".repeat(32)}` };
    const parse = vi.spyOn(JSON, "parse");
    expect(await outcome(linear().scheme, "s", bomb, headers)).toBe("signature_mismatch");
    expect(await outcome(github().scheme, "s", bomb, headers)).toBe("signature_mismatch");
    expect(parsed(parse)).toHaveLength(0);
  });

  it("a time in the body is read and judged all the same", async () => {
    const good = await signedBy(linear(), "s", bytes('{"id":1}'));
    expect(await outcome(linear().scheme, "s", good.body, good.headers)).toBe("current");
    const { headers } = await sign(
      { ...linear().scheme, timestamp: null } as Scheme,
      { ...good, id: "1", timestampMs: 0, body: bytes("{}") },
      { secret: "s", privateKey: null },
    );
    expect(await outcome(linear().scheme, "s", bytes("{}"), headers)).toBe("timestamp_missing");
  });

  it("of a body just under the limit the signature is looked for", async () => {
    const body = bytes(`{"a":"${"x".repeat(UNVERIFIED_PARSE_LIMIT_BYTES - 8)}"}`);
    expect(body.length).toBe(UNVERIFIED_PARSE_LIMIT_BYTES);
    expect(await outcome(mailgun().scheme, "s", body)).toBe("signature_missing");
    expect(await outcome(mailgun().scheme, "s", bytes(`${new TextDecoder().decode(body)} `))).toBe("unverified_too_large");
  });

  it("a form of too many fields is counted, not parsed", async () => {
    const params = vi.spyOn(globalThis, "URLSearchParams");
    const fields = bytes("&".repeat(FORM_FIELDS_LIMIT));
    expect(await outcome(braintree().scheme, "a:b", fields, FORM)).toBe("unverified_too_large");
    expect(params).not.toHaveBeenCalled();
    expect(await outcome(braintree().scheme, "a:b", fields.subarray(1), FORM)).toBe("signature_missing");
  });

  it("of the presets these parse what nobody has verified: their own data says so", () => {
    const names = (kind: "json" | "form") => presetFiles.filter(({ make }) => parsesUnverified(make().scheme)[kind]).map(({ name }) => name);
    expect(names("form")).toEqual(expect.arrayContaining(["braintree", "dropbox-sign", "mandrill", "twilio"]));
    expect(names("json")).toEqual(expect.arrayContaining(["adyen", "dropbox-sign", "mailgun", "sns"]));
    for (const name of ["github", "stripe", "linear", "slack", "paypal", "standard"])
      expect([...names("json"), ...names("form")]).not.toContain(name);
  });
});

describe("items that are signed one by one (Adyen)", () => {
  const items = (count: number) => bytes(`{"notificationItems":[${Array.from({ length: count }, () => "{}").join(",")}]}`);

  it("are not gone through after the first that is forged, and too many are refused before", async () => {
    const parse = vi.spyOn(JSON, "parse");
    expect(await outcome(adyen().scheme, "ab", items(SIGNED_ITEMS_LIMIT))).toBe("signature_missing");
    expect(parse.mock.calls.length).toBeLessThan(100);
    expect(await outcome(adyen().scheme, "ab", items(SIGNED_ITEMS_LIMIT + 1))).toBe("unverified_too_large");
  });
});

describe("a list of signatures", () => {
  it("of nothing but commas is no signature, and a text longer than any header is not gone through", async () => {
    const body = (signature: string) => bytes(JSON.stringify({ signature: { signature, token: "t", timestamp: String(NOW_MS / 1_000) } }));
    const good = await signedBy(mailgun(), "s", body(""));
    const hex = (JSON.parse(new TextDecoder().decode(good.body)) as { signature: { signature: string } }).signature.signature;
    for (const [text, expected] of [
      [hex, "current"],
      [`${",".repeat(10_000)}${hex}`, "current"],
      [",".repeat(10_000), "signature_malformed"],
      [`${",".repeat(16_384)}${hex}`, "signature_malformed"],
    ] as const)
      expect(await outcome(mailgun().scheme, "s", body(text)), `${text.length}`).toBe(expected);
  });

  it("under a public key is tried four times, not sixteen", async () => {
    const scheme = standardWebhooksAsymmetric("webhook");
    const keys = await newKeys(scheme);
    const body = bytes("{}");
    const { headers } = await sign(scheme, { method: "POST", url: URL_SIGNED, headers: {}, id: "1", timestampMs: NOW_MS, body }, keys);
    const wrong = `v1a,${btoa("\0".repeat(64))} `;
    const tried = (count: number) =>
      outcome(scheme, keys.secret, body, { ...headers, "webhook-signature": wrong.repeat(count) + (headers["webhook-signature"] ?? "") });
    expect(await tried(3)).toBe("current");
    expect(await tried(4)).toBe("signature_mismatch");
  });

  it("with times of their own, each of which costs a pass over the body, is tried four times (Persona)", async () => {
    const body = bytes("{}");
    const good = (await signedBy(persona(), "s", body)).headers["persona-signature"] ?? "";
    const wrong = `t=${NOW_MS / 1_000},v1=${"00".repeat(32)} `;
    for (const [count, expected] of [
      [3, "current"],
      [4, "signature_mismatch"],
    ] as const)
      expect(await outcome(persona().scheme, "s", body, { "persona-signature": wrong.repeat(count) + good })).toBe(expected);
  });
});

it("a certificate from elsewhere is refused before anything is computed over the body (PayPal)", async () => {
  const headers = {
    "paypal-transmission-sig": "AAAA",
    "paypal-transmission-time": "2026-01-01T00:00:00Z",
    "paypal-cert-url": "https://evil.example/v1/notifications/certs/C",
  };
  // The id of the transmission is missing: the message was never begun.
  expect(await outcome(paypal().scheme, "WH-1", bytes("{}"), headers)).toBe("key_not_allowed");
});

it("a field that is signed and comes twice is refused: somebody else would read the other one (Braintree)", async () => {
  const secret = "public:private";
  const good = await signedBy(braintree(), secret, bytes("bt_payload=Zm9yZ2Vk"), FORM);
  const text = new TextDecoder().decode(good.body);
  expect(await outcome(braintree().scheme, secret, good.body, FORM)).toBe("current");
  for (const twice of [`${text}&bt_payload=b3RoZXI`, `bt_payload=b3RoZXI&${text}`, `${text}&bt_payload=Zm9yZ2Vk`])
    expect(await outcome(braintree().scheme, secret, bytes(twice), FORM), twice).toBe("signed_part_missing");
});
