/** Tokens, and what RFC 8725 lists of attacks on them. */
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { Delivery, header } from "../../../src/core/delivery.ts";
import { failed, ok } from "../../../src/core/result.ts";
import { LOCAL_KID } from "../../../src/schemes/jwt-keys.ts";
import type { JwtScheme } from "../../../src/schemes/jwt.ts";
import { sign, newKeys, verify, type Circumstances, type KeyRequest } from "../../../src/schemes/scheme.ts";
import { at, bytes, NOW_MS, only } from "./requests.ts";

const BODY = bytes('{"id":"evt_1"}');
const SHA = createHash("sha256").update(BODY).digest("hex");
const URL_OURS = "https://hooks.example/webhooks/x";
const SECRET = "a-secret-of-thirty-two-characters";
const NOW_S = NOW_MS / 1_000;

const hs: JwtScheme = {
  kind: "jwt",
  at: header("x-jws"),
  prefix: "",
  algorithms: ["HS256"],
  key: { secret: "utf8" },
  issuer: ["netlify"],
  audience: null,
  claims: {},
  body: { claim: "sha256", encoding: "hex" },
  url: null,
  time: null,
};

const outcome = async (scheme: JwtScheme, token: string, secret = SECRET, circumstances: Circumstances = at(), body = BODY) => {
  const delivery = new Delivery({ method: "POST", url: URL_OURS, headers: new Headers({ "x-jws": token }), body });
  const result = await verify(scheme, delivery, only(secret), circumstances);
  return result.ok ? result.value.matched : result.failure.reason;
};

const token = (claims: Record<string, unknown>, alg = "HS256", secret = SECRET) =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(bytes(secret));

describe("HS256", () => {
  it("is authentic with the right key, issuer and digest", async () => {
    expect(await outcome(hs, await token({ iss: "netlify", sha256: SHA }))).toBe("current");
    expect(await outcome(hs, await token({ iss: "netlify", sha256: SHA }), SECRET, at(), bytes('{"id":"evt_2"}'))).toBe("body_digest_mismatch");
    expect(await outcome(hs, await token({ iss: "netlify" }))).toBe("body_digest_mismatch");
    expect(await outcome(hs, await token({ iss: "other", sha256: SHA }))).toBe("not_for_us");
    expect(await outcome(hs, await token({ sha256: SHA }))).toBe("not_for_us");
    expect(await outcome(hs, await token({ iss: "netlify", sha256: SHA }, "HS256", `${SECRET}x`))).toBe("signature_mismatch");
  });

  it("takes no other algorithm: none, a longer hash, or one that the token likes", async () => {
    expect(await outcome(hs, new UnsecuredJWT({ iss: "netlify", sha256: SHA }).encode())).toBe("signature_malformed");
    expect(await outcome(hs, `${Buffer.from('{"alg":"none"}').toString("base64url")}.e30.AA`)).toBe("signature_malformed");
    expect(await outcome(hs, await token({ iss: "netlify", sha256: SHA }, "HS512"))).toBe("signature_malformed");
  });

  it("is bounded in time where it says so", async () => {
    expect(await outcome(hs, await token({ iss: "netlify", sha256: SHA, exp: NOW_S - 301 }))).toBe("timestamp_too_old");
    expect(await outcome(hs, await token({ iss: "netlify", sha256: SHA, nbf: NOW_S + 301 }))).toBe("timestamp_in_future");
    expect(await outcome(hs, await token({ iss: "netlify", sha256: SHA, exp: NOW_S + 60, nbf: NOW_S - 60 }))).toBe("current");
    const timed: JwtScheme = { ...hs, time: "iat" };
    expect(await outcome(timed, await token({ iss: "netlify", sha256: SHA }))).toBe("timestamp_missing");
    expect(await outcome(timed, await token({ iss: "netlify", sha256: SHA, iat: NOW_S - 301 }))).toBe("timestamp_too_old");
    expect(await outcome(timed, await token({ iss: "netlify", sha256: SHA, iat: NOW_S + 301 }))).toBe("timestamp_in_future");
    expect(await outcome(timed, await token({ iss: "netlify", sha256: SHA, iat: NOW_S }))).toBe("current");
  });

  it("is for this URL where it says so", async () => {
    const scheme: JwtScheme = { ...hs, audience: "url" };
    expect(await outcome(scheme, await token({ iss: "netlify", sha256: SHA, aud: URL_OURS }))).toBe("current");
    expect(await outcome(scheme, await token({ iss: "netlify", sha256: SHA, aud: `${URL_OURS}/` }))).toBe("not_for_us");
    const hashed: JwtScheme = { ...hs, url: { claim: "url_hash" } };
    expect(await outcome(hashed, await token({ iss: "netlify", sha256: SHA, url_hash: createHash("sha256").update(URL_OURS).digest("hex") }))).toBe(
      "current",
    );
    expect(await outcome(hashed, await token({ iss: "netlify", sha256: SHA, url_hash: SHA }))).toBe("not_for_us");
  });

  it.each(["", " ", "a.b", "a.b.c.d", "..", "é.é.é", "a".repeat(9_000), "eyJhbGciOiJIUzI1NiJ9.e30.", "Bearer x.y.z"])(
    "%j is no token",
    async (text) => {
      expect(await outcome(hs, text)).toMatch(/^signature_(missing|malformed)$/);
    },
  );
});

describe("RS256 with a fetched key set", () => {
  const scheme: JwtScheme = {
    ...hs,
    prefix: "Bearer ",
    algorithms: ["RS256"],
    key: { keySet: "https://keys.example/certs" },
    issuer: ["https://accounts.google.com", "accounts.google.com"],
    audience: "url",
    claims: { email: "secret", email_verified: { is: "true" } },
    body: null,
  };
  const EMAIL = "pusher@project.iam.gserviceaccount.com";
  const claims = { iss: "https://accounts.google.com", aud: URL_OURS, email: EMAIL, email_verified: true, exp: NOW_S + 60 };

  const world = async () => {
    const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid: "k1", alg: "RS256" };
    const asked: KeyRequest[] = [];
    const fetchKey: Circumstances["fetchKey"] = async (request) => {
      asked.push(request);
      return ok(JSON.stringify({ keys: [jwk] }));
    };
    const make = async (over: Record<string, unknown>, kid = "k1", alg = "RS256") =>
      `Bearer ${await new SignJWT({ ...claims, ...over }).setProtectedHeader({ alg, kid }).sign(privateKey)}`;
    return { jwk, asked, circumstances: { ...at(), fetchKey }, make, publicKey };
  };

  it("is authentic for the account and the URL that are meant", async () => {
    const { circumstances, make } = await world();
    expect(await outcome(scheme, await make({}), EMAIL, circumstances)).toBe("current");
    expect(await outcome(scheme, (await make({})).replace("Bearer", "bearer"), EMAIL, circumstances)).toBe("current");
    expect(await outcome(scheme, await make({}), "other@project.iam.gserviceaccount.com", circumstances)).toBe("not_for_us");
    for (const over of [
      { email: "evil@evil.example" },
      { email_verified: false },
      { email_verified: undefined },
      { aud: "https://evil.example" },
      { iss: "https://evil.example" },
    ]) {
      expect(await outcome(scheme, await make(over), EMAIL, circumstances), JSON.stringify(over)).toBe("not_for_us");
    }
  });

  it("the public key is no HMAC secret: the algorithm is ours to choose", async () => {
    const { circumstances, jwk } = await world();
    const confused = await new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: "k1" }).sign(bytes(JSON.stringify(jwk)));
    expect(await outcome(scheme, `Bearer ${confused}`, EMAIL, circumstances)).toBe("signature_malformed");
  });

  it("asks once more for a key that the cached set lacks, and goes no address that the token names", async () => {
    const { circumstances, make, asked } = await world();
    expect(await outcome(scheme, await make({}, "unknown"), EMAIL, circumstances)).toBe("signature_mismatch");
    expect(asked).toEqual([
      { url: "https://keys.example/certs", fresh: false },
      { url: "https://keys.example/certs", fresh: true },
    ]);
    const other = await generateKeyPair("RS256");
    const jku = await new SignJWT(claims)
      .setProtectedHeader({ alg: "RS256", kid: "k1", jku: "https://evil.example/", jwk: await exportJWK(other.publicKey) })
      .sign(other.privateKey);
    expect(await outcome(scheme, `Bearer ${jku}`, EMAIL, circumstances)).toBe("signature_mismatch");
    expect(asked.every(({ url }) => url === "https://keys.example/certs")).toBe(true);
  });

  it("says when the key server is away or answers nonsense", async () => {
    const { make } = await world();
    const away: Circumstances = { ...at(), fetchKey: async () => failed({ reason: "key_unavailable", host: "keys.example" }) };
    expect(await outcome(scheme, await make({}), EMAIL, away)).toBe("key_unavailable");
    for (const text of ["<html>", "{}", '{"keys":{}}', "null"])
      expect(await outcome(scheme, await make({}), EMAIL, { ...at(), fetchKey: async () => ok(text) }), text).toMatch(
        /^(key_unknown|signature_mismatch|signature_malformed)$/,
      );
  });
});

describe("ES256 with one key for each kid", () => {
  const scheme: JwtScheme = {
    ...hs,
    algorithms: ["ES256"],
    key: {
      endpoint: "https://production.plaid.com/webhook_verification_key/get",
      idField: "client_id",
      secretField: "secret",
      kidField: "key_id",
      answerField: "key",
      kid: "[0-9a-f-]{36}",
      expiredField: "expired_at",
    },
    issuer: null,
    body: { claim: "request_body_sha256", encoding: "hex" },
    time: "iat",
  };

  it("asks the endpoint with the source's credentials, and for the key that the token names", async () => {
    const keys = await newKeys(scheme);
    const asked: KeyRequest[] = [];
    const circumstances: Circumstances = {
      ...at(),
      fetchKey: async (request) => {
        asked.push(request);
        return ok(keys.served ?? "");
      },
    };
    const request = await sign(
      scheme,
      { method: "POST", url: URL_OURS, headers: {}, body: BODY, id: "", timestampMs: NOW_MS },
      { ...keys, secret: "client:top:secret" },
    );
    expect(await outcome(scheme, request.headers["x-jws"] ?? "", "client:top:secret", circumstances)).toBe("current");
    expect(asked).toEqual([
      {
        url: "https://production.plaid.com/webhook_verification_key/get",
        named: true,
        post: `{"client_id":"client","secret":"top:secret","key_id":"${LOCAL_KID}"}`,
      },
    ]);
    expect(await outcome(scheme, request.headers["x-jws"] ?? "", "no colon", circumstances)).toBe("secret_malformed");
    expect(await outcome(scheme, request.headers["x-jws"] ?? "", "client:s", circumstances, bytes("{}"))).toBe("body_digest_mismatch");
  });

  it("asks nothing for a token that names no key of the endpoint's: asking costs a call with the operator's credentials", async () => {
    const { privateKey } = await generateKeyPair("ES256");
    const circumstances: Circumstances = { ...at(), fetchKey: async () => Promise.reject(new Error("asked")) };
    for (const kid of ["", "local", "k".repeat(300), `${LOCAL_KID}\n`, `${LOCAL_KID}"`, undefined]) {
      const jws = await new SignJWT({}).setProtectedHeader({ alg: "ES256", ...(kid === undefined ? {} : { kid }) }).sign(privateKey);
      expect(await outcome(scheme, jws, "client:s", circumstances), kid).toBe("key_not_allowed");
    }
  });

  it("takes no key that was withdrawn, though the endpoint still has it and the signature is right", async () => {
    const keys = await newKeys(scheme);
    const request = await sign(scheme, { method: "POST", url: URL_OURS, headers: {}, body: BODY, id: "", timestampMs: NOW_MS }, keys);
    const { key } = JSON.parse(keys.served ?? "") as { key: object };
    const under = (expired_at: unknown) =>
      outcome(scheme, request.headers["x-jws"] ?? "", keys.secret, {
        ...at(),
        fetchKey: async () => ok(JSON.stringify({ key: { ...key, expired_at } })),
      });
    expect(await under(null)).toBe("current");
    expect(await under(undefined)).toBe("current");
    for (const expired of [NOW_MS / 1_000 - 1, 0, "2026-01-01T00:00:00Z"]) expect(await under(expired)).toBe("key_unknown");
  });
});
