/** Forgeries first: nothing but the right signature over the exact bytes, within the window, is ever authentic. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBase64, fromHex, toBase64, toHex } from "../../../src/schemes/bytes.ts";
import { verify } from "../../../src/schemes/scheme.ts";
import { bytes, NOW_MS, only, outcome, PRESETS, request, signed, TOLERANCE_MS } from "./requests.ts";

const flip = (whole: Uint8Array, bit: number): Uint8Array<ArrayBuffer> => {
  const copy = new Uint8Array(whole);
  const at = Math.floor(bit / 8) % copy.length;
  copy[at] = (copy[at] ?? 0) ^ (1 << (bit % 8));
  return copy;
};

/** The header's text with its (only) signature put through a change of bytes. */
const withSignature = (text: string, change: (mac: Uint8Array) => Uint8Array): string => {
  const hex = text.match(/[0-9a-f]{64}/)?.[0];
  if (hex !== undefined) return text.replace(hex, toHex(change(fromHex(hex) ?? bytes(""))));
  const base64 = text.slice("v1,".length);
  return `v1,${toBase64(change(fromBase64(base64) ?? bytes("")))}`;
};

describe.each(PRESETS)("$provider.name", ({ provider, secret, other }) => {
  const signatureHeader = provider.scheme.signature.header;

  it("accepts what its own sign made", async () => {
    const body = bytes('{"id":"evt_1","type":"a.b"}');
    expect(await outcome(provider, await signed(provider, secret, body), body, only(secret))).toBe("current");
  });

  it("refuses any one-bit flip of the body", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.nat(), async (body, bit) => {
        const headers = await signed(provider, secret, body);
        expect(await outcome(provider, headers, body, only(secret))).toBe("current");
        expect(await outcome(provider, headers, flip(body, bit), only(secret))).toBe("signature_mismatch");
      }),
    );
  });

  it("refuses every one-bit flip of the signature", async () => {
    const body = bytes('{"id":"evt_1"}');
    const headers = await signed(provider, secret, body);
    for (let bit = 0; bit < 256; bit++) {
      const forged = { ...headers, [signatureHeader]: withSignature(headers[signatureHeader] ?? "", (mac) => flip(mac, bit)) };
      expect(await outcome(provider, forged, body, only(secret))).toBe("signature_mismatch");
    }
  });

  it("refuses every prefix of the signature, and anything appended", async () => {
    const body = bytes('{"id":"evt_1"}');
    const headers = await signed(provider, secret, body);
    for (let length = 1; length < 32; length++) {
      const forged = { ...headers, [signatureHeader]: withSignature(headers[signatureHeader] ?? "", (mac) => mac.slice(0, length)) };
      expect(await outcome(provider, forged, body, only(secret))).toBe("signature_malformed");
    }
    const longer = { ...headers, [signatureHeader]: withSignature(headers[signatureHeader] ?? "", (mac) => new Uint8Array([...mac, 0])) };
    expect(await outcome(provider, longer, body, only(secret))).toBe("signature_malformed");
  });

  it("refuses a signature of all zeros, and one under the empty key", async () => {
    const body = bytes('{"id":"evt_1"}');
    const headers = await signed(provider, secret, body);
    const zeros = { ...headers, [signatureHeader]: withSignature(headers[signatureHeader] ?? "", () => new Uint8Array(32)) };
    expect(await outcome(provider, zeros, body, only(secret))).toBe("signature_mismatch");
    expect(await outcome(provider, headers, body, { current: null, next: null })).toBe("secret_missing");
    expect(await outcome(provider, headers, body, only(""))).toBe("secret_malformed");
  });

  it("refuses an unsigned request", async () => {
    expect(await outcome(provider, {}, bytes("{}"), only(secret))).toBe("signature_missing");
    expect(await outcome(provider, { [signatureHeader]: "  " }, bytes("{}"), only(secret))).toBe("signature_missing");
  });

  it("says which secret matched, and refuses when neither does", async () => {
    const body = bytes("{}");
    const headers = await signed(provider, secret, body);
    expect(await outcome(provider, headers, body, { current: secret, next: other })).toBe("current");
    expect(await outcome(provider, headers, body, { current: other, next: secret })).toBe("next");
    expect(await outcome(provider, headers, body, { current: null, next: secret })).toBe("next");
    expect(await outcome(provider, headers, body, { current: other, next: null })).toBe("signature_mismatch");
  });

  it("gives the operator the facts of a mismatch", async () => {
    const body = bytes("{}");
    const result = await verify(
      provider.scheme,
      request(await signed(provider, secret, body), bytes("{} ")),
      { current: secret, next: other },
      NOW_MS,
      TOLERANCE_MS,
    );
    expect(result).toEqual({ ok: false, failure: { reason: "signature_mismatch", secretsTried: 2, signaturesTried: 1, bodyBytes: 3 } });
  });

  it("never throws, whatever the headers and the secret are", async () => {
    const piece = fc.oneof(
      fc.constantFrom("t=", "v1=", "v1,", "sha256=", ",", " ", "=", "==", "0", "ff", "1767225600", "%00", "{}", "é"),
      fc.string({
        maxLength: 70,
        unit: fc
          .integer({ min: 0x20, max: 0xff })
          .filter((code) => code !== 0x7f)
          .map((code) => String.fromCharCode(code)),
      }),
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    const names = [signatureHeader, "webhook-id", "webhook-timestamp"] as const;
    await fc.assert(
      fc.asyncProperty(text, text, text, fc.string({ unit: "binary" }), async (first, second, third, anySecret) => {
        const headers = { [names[0]]: first, [names[1]]: second, [names[2]]: third };
        const result = await verify(provider.scheme, request(headers, bytes("{}")), { current: secret, next: anySecret }, NOW_MS, TOLERANCE_MS);
        expect(result.ok).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});

describe.each(PRESETS.filter(({ provider }) => provider.scheme.timestamp !== null))("$provider.name, signed time", ({ provider, secret }) => {
  const body = bytes('{"id":"evt_1"}');

  it.each([
    [-300_001, "timestamp_too_old"],
    [-301_000, "timestamp_too_old"],
    [-86_400_000, "timestamp_too_old"],
    [300_001, "timestamp_in_future"],
    [86_400_000, "timestamp_in_future"],
    [300_000, "current"],
    [-300_000, "current"],
    [0, "current"],
  ])("at %i ms from now is %s", async (offsetMs, expected) => {
    const headers = await signed(provider, secret, body, NOW_MS);
    expect(await outcome(provider, headers, body, only(secret), NOW_MS - offsetMs)).toBe(expected);
  });

  it("cannot be moved: any other time makes the signature wrong", async () => {
    const headers = await signed(provider, secret, body);
    const moved = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace("1767225600", "1767225601")]));
    expect(moved).not.toEqual(headers);
    expect(await outcome(provider, moved, body, only(secret))).toBe("signature_mismatch");
  });

  it.each(["1767225600.0", "+1767225600", "0x6955b900", "1767225600abc", " ", "-1", "1e9", "9".repeat(16)])("is not %j", async (time) => {
    const headers = await signed(provider, secret, body);
    const changed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace("1767225600", time)]));
    expect(await outcome(provider, changed, body, only(secret))).toMatch(/^timestamp_(malformed|missing)$/);
  });

  it("reports a forgery as a forgery, also when it is old", async () => {
    const headers = await signed(provider, secret, body, NOW_MS - 86_400_000);
    expect(await outcome(provider, headers, bytes("{}"), only(secret))).toBe("signature_mismatch");
  });
});
