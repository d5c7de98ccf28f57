/** Signature headers as they are really sent: several signatures, unknown versions, joined duplicates, either case. */
import { describe, expect, it } from "vitest";
import { generic } from "../../../src/providers/generic.ts";
import { github } from "../../../src/providers/github.ts";
import { standard } from "../../../src/providers/standard.ts";
import { stripe } from "../../../src/providers/stripe.ts";
import type { HmacScheme } from "../../../src/schemes/hmac.ts";
import { sign, verify, type Outgoing } from "../../../src/schemes/scheme.ts";
import { at, bytes, NOW_MS, only, outcome, request, signed } from "./requests.ts";

const body = bytes('{"id":"evt_1"}');
const WRONG = "00".repeat(32);

describe("pairs (stripe)", () => {
  const secret = "whsec_test_secret";
  const good = async () => /v1=([0-9a-f]{64})/.exec((await signed(stripe(), secret, body))["stripe-signature"] ?? "")?.[1] ?? "";
  const outcomeOf = (text: string) => outcome(stripe(), { "stripe-signature": text }, body, only(secret));

  it("takes any of several signatures, in any order, and skips unknown versions", async () => {
    const v1 = await good();
    for (const text of [
      `t=1767225600,v1=${v1}`,
      `t=1767225600,v1=${WRONG},v1=${v1}`,
      `t=1767225600,v1=${v1},v1=${WRONG}`,
      `v1=${v1},t=1767225600`,
      `t=1767225600,v0=${WRONG},v1=${v1},v2=zzz,scheme`,
      `t=1767225600,v1=deadbeef,v1=${v1}`,
      `t=1767225600, v1=${v1}`,
      `t=1767225600,v1=${v1}, t=1767225600,v1=${WRONG}`,
      `t=1767225600,v1=${v1.toUpperCase()}`,
    ]) {
      expect(await outcomeOf(text), text).toBe("current");
    }
  });

  it("refuses the right signature under another version or key", async () => {
    const v1 = await good();
    for (const text of [`t=1767225600,v0=${v1}`, `t=1767225600,V1=${v1}`, `t=1767225600,${v1}`, `t=1767225600,v1 ${v1}`, `t=1767225600;v1=${v1}`]) {
      expect(await outcomeOf(text), text).toBe("signature_malformed");
    }
  });

  it("refuses two different times, whichever stands first", async () => {
    const v1 = await good();
    expect(await outcomeOf(`t=1767225600,t=1767225601,v1=${v1}`)).toBe("timestamp_malformed");
    expect(await outcomeOf(`t=1767225601,t=1767225600,v1=${v1}`)).toBe("timestamp_malformed");
    expect(await outcomeOf(`t=,v1=${v1}`)).toBe("timestamp_missing");
  });

  it("tries 16 signatures, not what the sender likes", async () => {
    const v1 = await good();
    const many = (count: number) => `t=1767225600,${`v1=${WRONG},`.repeat(count)}v1=${v1}`;
    expect(await outcomeOf(many(15))).toBe("current");
    expect(await outcomeOf(many(16))).toBe("signature_mismatch");
    const result = await verify(stripe().scheme, request({ "stripe-signature": many(200) }, body), only(secret), at());
    expect(result).toMatchObject({ failure: { signaturesTried: 16 } });
    expect(await outcomeOf(many(1_000))).toBe("signature_malformed");
  });
});

describe("plain (generic, github)", () => {
  it("takes either case of hex, and either of two joined headers", async () => {
    const hex = (await signed(generic(), "s", body))["x-webhook-signature"] ?? "";
    for (const text of [hex, hex.toUpperCase(), `${WRONG}, ${hex}`, `${hex}, ${WRONG}`, ` ${hex} `]) {
      expect(await outcome(generic(), { "x-webhook-signature": text }, body, only("s")), text).toBe("current");
    }
  });

  it("refuses a missing, wrong or repeated prefix", async () => {
    const header = (await signed(github(), "s", body))["x-hub-signature-256"] ?? "";
    const hex = header.slice("sha256=".length);
    for (const text of [hex, `sha1=${hex}`, `SHA256=${hex}`, `sha256=sha256=${hex}`, `sha256 ${hex}`, `sha256=0x${hex}`, `"${header}"`]) {
      expect(await outcome(github(), { "x-hub-signature-256": text }, body, only("s")), text).toBe("signature_malformed");
    }
  });
});

describe("tagged (standard)", () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  it("takes any of several signatures, and skips unknown versions", async () => {
    const headers = await signed(standard(), secret, body);
    const v1 = headers["webhook-signature"] ?? "";
    const zeros = `v1,${btoa("\0".repeat(32))}`;
    for (const text of [
      `${zeros} ${v1}`,
      `${v1} ${zeros}`,
      `v1a,${"A".repeat(86)}== ${v1} v2,zzzz`,
      `${zeros}, ${v1}`,
      `${v1}, ${zeros}`,
      `v1, ${v1}`,
    ]) {
      expect(await outcome(standard(), { ...headers, "webhook-signature": text }, body, only(secret)), text).toBe("current");
    }
  });

  it("refuses other spellings of the same base64", async () => {
    const headers = await signed(standard(), secret, body);
    const v1 = headers["webhook-signature"] ?? "";
    const nextLetter = (letter: string) => String.fromCharCode(letter.charCodeAt(0) + 1);
    // 32 bytes leave two unused bits in the last letter: a lenient decoder takes four spellings.
    const uncanonical = v1.replace(/(.)=$/, (_, letter: string) => `${nextLetter(letter)}=`);
    for (const text of [
      uncanonical,
      v1.replace(/=$/, ""),
      `${v1}=`,
      v1.replace(",", ", "),
      v1.replaceAll("+", "-").replaceAll("/", "_").replace("=", ""),
    ]) {
      expect(await outcome(standard(), { ...headers, "webhook-signature": text }, body, only(secret)), text).toBe("signature_malformed");
    }
  });

  it("takes the secret as dashboards show it, and refuses what is no base64", async () => {
    const headers = await signed(standard(), secret, body);
    const bare = secret.slice("whsec_".length);
    for (const form of [secret, bare, `v1,${secret}`]) expect(await outcome(standard(), headers, body, only(form)), form).toBe("current");
    for (const form of ["whsec_", "whsec_!!", "whsec_a", `${secret} x`, "not base64 at all", "whsec__-_-"]) {
      expect(await outcome(standard(), headers, body, only(form)), form).toBe("secret_malformed");
    }
  });

  it("a good secret beside a malformed one still verifies; the malformed one is named when nothing does", async () => {
    const headers = await signed(standard(), secret, body);
    expect(await outcome(standard(), headers, body, { current: "whsec_!", next: secret })).toBe("next");
    expect(await outcome(standard(), headers, body, { current: secret, next: "whsec_!" })).toBe("current");
    const result = await verify(standard().scheme, request(headers, bytes("forged")), { current: secret, next: "whsec_!" }, at());
    expect(result).toMatchObject({ failure: { reason: "secret_malformed", secret: "next" } });
  });

  it("refuses another id: it is signed", async () => {
    const headers = await signed(standard(), secret, body);
    expect(await outcome(standard(), { ...headers, "webhook-id": "msg_2" }, body, only(secret))).toBe("signature_mismatch");
    const { "webhook-id": _, ...without } = headers;
    expect(await outcome(standard(), without, body, only(secret))).toBe("signed_part_missing");
  });
});

describe("the other parts of an HMAC scheme", () => {
  const outgoing: Outgoing = { method: "POST", url: "https://x.example/", headers: {}, id: "id-1", timestampMs: NOW_MS, body };
  const base: HmacScheme = {
    kind: "hmac",
    hash: "SHA-256",
    key: "utf8",
    signature: { at: [{ header: "x-signature" }], form: "plain", encoding: "base64", prefix: "v0=" },
    message: [{ literal: "v0:" }, "timestamp", { literal: ":" }, "body"],
    timestamp: { at: { header: "x-time" }, unit: "ms" },
  };
  const roundTrip = async (scheme: HmacScheme, secret: string) => {
    const { headers } = await sign(scheme, outgoing, { secret, privateKey: null });
    return { headers, result: await verify(scheme, request(headers, body), only(secret), at()) };
  };

  it.each([
    ["milliseconds in their own header", base, "s"],
    ["SHA-1", { ...base, hash: "SHA-1" }, "s"],
    ["SHA-512", { ...base, hash: "SHA-512" }, "s"],
    ["hex key", { ...base, key: "hex" }, "0a0B0c"],
    ["base64 key", { ...base, key: "base64" }, "c2VjcmV0IQ"],
  ] as const)("%s", async (_, scheme, secret) => {
    const { headers, result } = await roundTrip(scheme, secret);
    expect(headers["x-time"]).toBe(String(NOW_MS));
    expect(result).toEqual({ ok: true, value: { matched: "current" } });
  });

  it("refuses to sign with what cannot be a key", async () => {
    await expect(sign({ ...base, key: "hex" }, outgoing, { secret: "0g", privateKey: null })).rejects.toThrow(TypeError);
  });
});
