/** Public-key schemes against other implementations (node:crypto), and against what forgers try on them. */
import * as fc from "fast-check";
import { createSign, generateKeyPairSync, sign as nodeSign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Delivery, header } from "../../../src/core/delivery.ts";
import { ok } from "../../../src/core/result.ts";
import { fromDer, toDer, type EcdsaScheme } from "../../../src/schemes/ecdsa.ts";
import type { Ed25519Scheme } from "../../../src/schemes/ed25519.ts";
import { isAllowedUrl, type RsaScheme } from "../../../src/schemes/rsa.ts";
import { verify, type Circumstances, type Scheme } from "../../../src/schemes/scheme.ts";
import { at, bytes, only } from "./requests.ts";

const BODY = bytes('{"id":"evt_1"}\r\n');
const signature = { at: [header("x-signature")], form: "plain", prefix: "", encoding: "base64" } as const;

const outcome = async (scheme: Scheme, headers: Record<string, string>, secret: string, circumstances: Circumstances = at()) => {
  const delivery = new Delivery({ method: "POST", url: "https://hooks.example/", headers: new Headers(headers), body: BODY });
  const result = await verify(scheme, delivery, only(secret), circumstances);
  return result.ok ? result.value.matched : result.failure.reason;
};

describe("ECDSA P-256", () => {
  const der: EcdsaScheme = { kind: "ecdsa", hash: "SHA-256", form: "der", signature, message: ["body"], timestamp: null };
  const raw: EcdsaScheme = { ...der, form: "raw" };
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();

  it("takes what node:crypto signs, in both forms, whatever the lengths of r and s", async () => {
    for (let round = 0; round < 40; round++) {
      const signed = createSign("sha256").update(BODY).sign(privateKey).toString("base64");
      expect(await outcome(der, { "x-signature": signed }, pem)).toBe("current");
      const p1363 = nodeSign("sha256", BODY, { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64");
      expect(await outcome(raw, { "x-signature": p1363 }, pem)).toBe("current");
      expect(await outcome(der, { "x-signature": p1363 }, pem)).toBe("signature_mismatch");
    }
  });

  it("takes the key as PEM, as PEM with written-out line ends, as bare base64; nothing else", async () => {
    const signed = createSign("sha256").update(BODY).sign(privateKey).toString("base64");
    const bare = pem.replaceAll(/-----[A-Z ]+-----|\n/g, "");
    for (const form of [pem, pem.replaceAll("\n", "\\n"), bare]) expect(await outcome(der, { "x-signature": signed }, form), form).toBe("current");
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 }).publicKey.export({ type: "spki", format: "pem" }).toString();
    const privatePem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    for (const form of ["x", "", "AAAA", rsa, privatePem, bare.slice(4)])
      expect(await outcome(der, { "x-signature": signed }, form), form).toBe("secret_malformed");
  });

  it("the signature of (0, 0), which some libraries took for anything, is refused", async () => {
    expect(await outcome(raw, { "x-signature": Buffer.alloc(64).toString("base64") }, pem)).toBe("signature_mismatch");
    expect(await outcome(der, { "x-signature": Buffer.from("3006020100020100", "hex").toString("base64") }, pem)).toBe("signature_mismatch");
  });

  it("DER is read strictly: one text for each signature", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), (pair) => {
        const encoded = toDer(pair);
        expect(fromDer(encoded)).toEqual(pair);
        for (const other of [new Uint8Array([...encoded, 0]), encoded.slice(0, -1), new Uint8Array([0x31, ...encoded.slice(1)])])
          expect(fromDer(other)).toBeNull();
      }),
    );
    // An extra zero before r, a negative r, an empty r, a long-form length.
    for (const hex of ["300702020001020101", "3006020180020101", "30050200020101", "308106020101020101", ""])
      expect(fromDer(Uint8Array.from(Buffer.from(hex, "hex"))), hex).toBeNull();
    fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), (any) => [null, 64].includes(fromDer(any)?.length ?? null)));
  });
});

describe("Ed25519", () => {
  const scheme: Ed25519Scheme = {
    kind: "ed25519",
    key: "hex",
    signature: { ...signature, encoding: "hex" },
    message: ["timestamp", "body"],
    timestamp: { at: header("x-time"), unit: "s" },
  };
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ type: "spki", format: "der" }).subarray(-32);

  it("takes what node:crypto signs, and the key in each form", async () => {
    const headers = {
      "x-time": "1767225600",
      "x-signature": nodeSign(null, Buffer.concat([Buffer.from("1767225600"), BODY]), privateKey).toString("hex"),
    };
    expect(await outcome(scheme, headers, raw.toString("hex"))).toBe("current");
    expect(await outcome({ ...scheme, key: "base64" }, headers, raw.toString("base64"))).toBe("current");
    expect(await outcome({ ...scheme, key: "whpk" }, headers, `whpk_${raw.toString("base64")}`)).toBe("current");
    expect(await outcome(scheme, { ...headers, "x-time": "1767225601" }, raw.toString("hex"))).toBe("signature_mismatch");
    for (const key of ["", "ff", "zz".repeat(32), raw.toString("base64")]) expect(await outcome(scheme, headers, key), key).toBe("secret_malformed");
  });
});

describe("RSA", () => {
  const scheme: RsaScheme = { kind: "rsa", hash: "SHA-256", key: "secret", signature, message: ["body"], timestamp: null };
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  const signed = createSign("sha256").update(BODY).sign(privateKey).toString("base64");

  it("takes what node:crypto signs under the configured key", async () => {
    expect(await outcome(scheme, { "x-signature": signed }, pem)).toBe("current");
    expect(await outcome(scheme, { "x-signature": createSign("sha1").update(BODY).sign(privateKey).toString("base64") }, pem)).toBe(
      "signature_mismatch",
    );
  });

  const allow = { host: "sns\\.[a-z0-9-]{3,}\\.amazonaws\\.com", path: "/SimpleNotificationService-[0-9a-f]+\\.pem" };
  const fetched: RsaScheme = { ...scheme, key: { certificate: header("x-cert"), allow } };
  const URL_OK = "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0f.pem";
  const served = (text: string): Circumstances => ({ ...at(), fetchKey: async () => ok(text) });

  it("takes the key that the request names at an allowed address", async () => {
    expect(await outcome(fetched, { "x-signature": signed, "x-cert": URL_OK }, "any", served(pem))).toBe("current");
    expect(await outcome(fetched, { "x-signature": signed, "x-cert": URL_OK }, "any", served("<html>"))).toBe("key_unknown");
    expect(await outcome(fetched, { "x-signature": signed }, "any", served(pem))).toBe("key_not_allowed");
    expect(await outcome(fetched, { "x-signature": signed, "x-cert": URL_OK }, "any")).toBe("key_unavailable");
  });

  it.each([
    "http://sns.us-east-1.amazonaws.com/SimpleNotificationService-0f.pem",
    "https://sns.us-east-1.amazonaws.com.evil.example/SimpleNotificationService-0f.pem",
    "https://evil.example/sns.us-east-1.amazonaws.com/SimpleNotificationService-0f.pem",
    "https://sns.us-east-1.amazonaws.com@evil.example/SimpleNotificationService-0f.pem",
    "https://sns.us-east-1.amazonaws.com:444/SimpleNotificationService-0f.pem",
    "https://sns.us-east-1.amazonaws.com/x/../SimpleNotificationService-0f.pem",
    "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0f.pem?x=1",
    "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0f.pem#x",
    "https://sns.us-east-1.amazonaws.com/bucket/evil.pem",
    "https://SNS.us-east-1.amazonaws.com/SimpleNotificationService-0f.pem",
    " https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0f.pem",
    "https://sns.us-east-1.amazonaws.com\\@evil.example/SimpleNotificationService-0f.pem",
    `https://sns.us-east-1.amazonaws.com/SimpleNotificationService-${"0".repeat(1_100)}.pem`,
  ])("%s is not asked", (url) => expect(isAllowedUrl(url, allow, "any")).toBe(false));

  it("no URL that is allowed names another host", () => {
    fc.assert(
      fc.property(
        fc.webUrl({ withFragments: true, withQueryParameters: true }),
        fc.constantFrom("", "https://", "@", ":", "/", "\\", "?", "#"),
        (url, glue) => {
          const text = `${url}${glue}sns.us-east-1.amazonaws.com/SimpleNotificationService-0f.pem`;
          if (isAllowedUrl(text, allow, "any")) expect(new URL(text).hostname).toBe("sns.us-east-1.amazonaws.com");
        },
      ),
    );
  });
});
