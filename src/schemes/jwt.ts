/** JSON Web Tokens, RFC 7519 and RFC 8725: `jose` verifies them, the preset says which are meant. */
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  errors,
  exportJWK,
  importPKCS8,
  importSPKI,
  jwtVerify,
  SignJWT,
  type JSONWebKeySet,
  type JWTPayload,
} from "jose";
import { placeOf, type Delivery, type Reader } from "../core/delivery.ts";
import type { Rejection, SecretSlot, Secrets } from "../core/reasons.ts";
import { failed, ok, type Result } from "../core/result.ts";
import { toBase64, toHex, utf8 } from "./bytes.ts";
import { isSameText } from "./compare.ts";
import { KEY_SHAPES, keyBytes, newKeyText, type KeyForm, type WebKey } from "./key.ts";
import { importPublicKey, toPem, type PublicKeyParams } from "./pem.ts";
import { put } from "./put.ts";
import type { Circumstances, Match, NewKeys, Outgoing, Signed, SigningKeys } from "./request.ts";
import { newRsaPair } from "./rsa.ts";
import { outsideWindow } from "./timestamp.ts";

export type JwtAlgorithm = "HS256" | "HS384" | "HS512" | "RS256" | "ES256";

export interface JwtScheme {
  readonly kind: "jwt";
  readonly at: Reader;
  /** Before the token: `Bearer `, or nothing. */
  readonly prefix: string;
  /** The only ones that are accepted; `none` cannot be written here. The first signs. */
  readonly algorithms: readonly [JwtAlgorithm, ...JwtAlgorithm[]];
  readonly key: JwtKey;
  readonly issuer: readonly string[] | null;
  /** `url`: the URL that the provider was given; `secret`: the source's secret. */
  readonly audience: "url" | "secret" | null;
  /** Claims that must have this text; `secret`: the source's secret. */
  readonly claims: Readonly<Record<string, { readonly is: string } | "secret">>;
  /** The claim with the SHA-256 of the body, where the token covers it. */
  readonly body: { readonly claim: string; readonly encoding: "hex" | "base64" } | null;
  /** The claim with the hex SHA-256 of the URL. */
  readonly url: { readonly claim: string } | null;
  /** The claim that is the time of signing, in seconds, and must lie within the tolerance; null: `exp` and `nbf` alone bound it, where they are. */
  readonly time: "iat" | null;
}

export type JwtKey =
  /** The secret is the key. */
  | { readonly secret: KeyForm }
  /** The secret is the public key in PEM. */
  | "pem"
  /** A key set at a fixed address. */
  | { readonly keySet: string }
  /**
   * One key for each `kid`, asked of an authenticated endpoint: a POST of `{ [idField], [secretField], [kidField] }` answers `{ [answerField]: <JWK> }`.
   * The secret is `id:secret` (Plaid).
   */
  | { readonly endpoint: string; readonly idField: string; readonly secretField: string; readonly kidField: string; readonly answerField: string };

/** Far above any that a provider sends; it bounds what is parsed before the signature is known to be right. */
const TOKEN_LIMIT_CHARACTERS = 8_192;
const KID_LIMIT_CHARACTERS = 256;

export async function verifyJwt(
  scheme: JwtScheme,
  delivery: Delivery,
  secrets: Secrets,
  circumstances: Circumstances,
): Promise<Result<Match, Rejection>> {
  const slots = (["current", "next"] as const).filter((slot) => secrets[slot] !== null);
  const place = placeOf(scheme.at);
  const malformed = {
    reason: "signature_malformed",
    place,
    expected: `${scheme.prefix}<JWT signed with ${scheme.algorithms.join(" or ")}>`,
  } as const;
  const text = delivery.read(scheme.at) ?? "";
  let outcome: Result<Match, Rejection> = failed({ reason: "secret_missing" });
  for (const slot of slots) {
    const secret = secrets[slot] ?? "";
    if (!(await isSecret(scheme.key, secret))) {
      if (outcome.ok || outcome.failure.reason === "secret_missing")
        outcome = failed({ reason: "secret_malformed", secret: slot, expected: shapeOf(scheme.key) });
      continue;
    }
    if (text.trim() === "") return failed({ reason: "signature_missing", place });
    const token = tokenIn(scheme, text);
    if (token === null) return failed(malformed);
    outcome = await verifyUnder(scheme, token, { slot, secret, slots: slots.length }, delivery, circumstances);
    if (outcome.ok || !(outcome.failure.reason === "signature_mismatch" || (outcome.failure.reason === "not_for_us" && namesSecret(scheme))))
      return outcome;
  }
  return outcome;
}

/** The secret is no key but what the token has to say: then the next one may be meant. */
const namesSecret = ({ audience, claims }: JwtScheme): boolean => audience === "secret" || Object.values(claims).includes("secret");

interface Try {
  readonly slot: SecretSlot;
  readonly secret: string;
  readonly slots: number;
}

async function verifyUnder(
  scheme: JwtScheme,
  token: string,
  { slot, secret, slots }: Try,
  delivery: Delivery,
  circumstances: Circumstances,
): Promise<Result<Match, Rejection>> {
  const place = placeOf(scheme.at);
  const mismatch = { reason: "signature_mismatch", secretsTried: slots, signaturesTried: 1, bodyBytes: delivery.body.length } as const;
  const { nowMs, toleranceMs } = circumstances;
  let payload: JWTPayload | null = null;
  for (const fresh of [false, true]) {
    const key = await keyFor(scheme.key, secret, token, circumstances, fresh);
    if (!key.ok) return key;
    try {
      const options = {
        algorithms: [...scheme.algorithms],
        currentDate: new Date(nowMs),
        clockTolerance: Math.floor(toleranceMs / 1_000),
        ...(scheme.issuer === null ? {} : { issuer: [...scheme.issuer] }),
        ...(scheme.audience === null ? {} : { audience: scheme.audience === "url" ? delivery.url : secret }),
      };
      ({ payload } = await jwtVerify(token, key.value, options));
      break;
    } catch (error) {
      // A key set that was rotated since it was cached: asked once more, as often as the fetcher allows.
      if (error instanceof errors.JWKSNoMatchingKey) {
        if (fresh) return failed(mismatch);
        continue;
      }
      return failed(rejectionOf(error, place, circumstances) ?? mismatch);
    }
  }
  if (payload === null) return failed(mismatch);
  for (const [claim, expected] of Object.entries(scheme.claims)) {
    const value = payload[claim];
    const wanted = expected === "secret" ? secret : expected.is;
    if (!(await isSameText(typeof value === "boolean" || typeof value === "string" ? String(value) : "", wanted)))
      return failed({ reason: "not_for_us", place: `the claim ${claim}` });
  }
  if (scheme.body !== null && payload[scheme.body.claim] !== (await digestText(delivery.body, scheme.body.encoding)))
    return failed({ reason: "body_digest_mismatch", place: `the claim ${scheme.body.claim}` });
  if (scheme.url !== null && payload[scheme.url.claim] !== (await digestText(utf8(delivery.url), "hex")))
    return failed({ reason: "not_for_us", place: `the claim ${scheme.url.claim}` });
  if (scheme.time !== null) {
    if (payload.iat === undefined) return failed({ reason: "timestamp_missing", place: `the claim ${scheme.time}` });
    const late = outsideWindow(payload.iat * 1_000, nowMs, toleranceMs);
    if (late !== null) return failed(late);
  }
  return ok({ matched: slot });
}

/** null: the signature does not match, or the token is none. */
function rejectionOf(error: unknown, place: string, { nowMs, toleranceMs }: Circumstances): Rejection | null {
  if (error instanceof errors.JWTExpired) {
    return { reason: "timestamp_too_old", sentAtMs: (error.payload.exp ?? 0) * 1_000, nowMs, toleranceMs };
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === "nbf") return { reason: "timestamp_in_future", sentAtMs: (error.payload.nbf ?? 0) * 1_000, nowMs, toleranceMs };
    return { reason: "not_for_us", place: `the claim ${error.claim}` };
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return null;
  return { reason: "signature_malformed", place, expected: "a JWT of the allowed algorithms" };
}

type VerifyKey = Exclude<Parameters<typeof jwtVerify>[1], undefined>;
type SigningKey = Parameters<SignJWT["sign"]>[0];

async function keyFor(
  key: JwtKey,
  secret: string,
  token: string,
  { fetchKey }: Circumstances,
  fresh: boolean,
): Promise<Result<VerifyKey | ReturnType<typeof createLocalJWKSet>, Rejection>> {
  const malformed = { reason: "secret_malformed", secret: "current", expected: shapeOf(key) } as const;
  if (key === "pem") {
    const imported = await pemKey(secret, algorithmOf(token));
    return imported === null ? failed(malformed) : ok(imported);
  }
  if ("secret" in key) {
    const bytes = await keyBytes(key.secret, secret);
    return bytes === null ? failed(malformed) : ok(bytes);
  }
  const url = "keySet" in key ? key.keySet : key.endpoint;
  const document = await fetchKey({ url, fresh: fresh && "keySet" in key, ...("keySet" in key ? {} : { post: question(key, secret, token) }) });
  if (!document.ok) return document;
  try {
    const answer: unknown = JSON.parse(document.value);
    if ("keySet" in key) return ok(createLocalJWKSet(answer as JSONWebKeySet));
    const jwk = typeof answer === "object" && answer !== null ? (answer as Readonly<Record<string, unknown>>)[key.answerField] : undefined;
    return ok(createLocalJWKSet({ keys: [jwk as JSONWebKeySet["keys"][number]] }));
  } catch {
    return failed({ reason: "key_unknown", host: new URL(url).hostname });
  }
}

function question(key: Extract<JwtKey, { readonly endpoint: string }>, secret: string, token: string): string {
  const colon = secret.indexOf(":");
  return JSON.stringify({ [key.idField]: secret.slice(0, colon), [key.secretField]: secret.slice(colon + 1), [key.kidField]: kidOf(token) });
}

function kidOf(token: string): string {
  try {
    return (decodeProtectedHeader(token).kid ?? "").slice(0, KID_LIMIT_CHARACTERS);
  } catch {
    return "";
  }
}

function algorithmOf(token: string): string {
  try {
    return decodeProtectedHeader(token).alg ?? "";
  } catch {
    return "";
  }
}

function pemKey(text: string, algorithm: string): Promise<VerifyKey | null> {
  const params: PublicKeyParams = algorithm === "ES256" ? { name: "ECDSA", namedCurve: "P-256" } : { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  return importPublicKey(text, params);
}

async function isSecret(key: JwtKey, secret: string): Promise<boolean> {
  if (key === "pem") return (await pemKey(secret, "RS256")) !== null || (await pemKey(secret, "ES256")) !== null;
  if ("secret" in key) return (await keyBytes(key.secret, secret)) !== null;
  return "endpoint" in key ? /^[^:]+:.+$/.test(secret) : secret !== "";
}

function shapeOf(key: JwtKey): string {
  if (key === "pem") return "a public key in PEM";
  if ("secret" in key) return KEY_SHAPES[key.secret];
  return "endpoint" in key ? "id:secret" : "a text";
}

function tokenIn(scheme: JwtScheme, text: string): string | null {
  if (text.slice(0, scheme.prefix.length).toLowerCase() !== scheme.prefix.toLowerCase()) return null;
  const token = text.slice(scheme.prefix.length).trim();
  return token.length <= TOKEN_LIMIT_CHARACTERS && /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/.test(token) ? token : null;
}

async function digestText(bytes: Uint8Array, encoding: "hex" | "base64"): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return encoding === "hex" ? toHex(digest) : toBase64(digest);
}

/** Its kid in development and tests, where the served key set has one key. */
const LOCAL_KID = "local";

export async function signJwt(scheme: JwtScheme, outgoing: Outgoing, keys: SigningKeys): Promise<Signed> {
  const [alg] = scheme.algorithms;
  const signedAt = Math.floor(outgoing.timestampMs / 1_000);
  const claims: JWTPayload = { iat: signedAt, nbf: signedAt, exp: signedAt + 60, jti: outgoing.id };
  if (scheme.issuer?.[0] !== undefined) claims.iss = scheme.issuer[0];
  if (scheme.audience !== null) claims.aud = scheme.audience === "url" ? outgoing.url : keys.secret;
  for (const [claim, expected] of Object.entries(scheme.claims)) {
    const text = expected === "secret" ? keys.secret : expected.is;
    claims[claim] = text === "true" ? true : text;
  }
  if (scheme.body !== null) claims[scheme.body.claim] = await digestText(outgoing.body, scheme.body.encoding);
  if (scheme.url !== null) claims[scheme.url.claim] = await digestText(utf8(outgoing.url), "hex");
  const key = await signingKey(scheme, keys, alg);
  const token = await new SignJWT(claims).setProtectedHeader({ alg, typ: "JWT", kid: LOCAL_KID }).sign(key);
  return put(outgoing, scheme.at, `${scheme.prefix}${token}`);
}

async function signingKey(scheme: JwtScheme, { secret, privateKey }: SigningKeys, algorithm: JwtAlgorithm): Promise<SigningKey> {
  if (typeof scheme.key === "object" && "secret" in scheme.key) {
    const bytes = await keyBytes(scheme.key.secret, secret);
    if (bytes === null) throw new TypeError(`the secret cannot be a key: expected ${shapeOf(scheme.key)}`);
    return bytes;
  }
  if (privateKey === null) throw new TypeError(`a token signed with ${algorithm} needs the private key`);
  return importPKCS8(privateKey, algorithm);
}

export async function newJwtKeys(scheme: JwtScheme): Promise<NewKeys> {
  const { key } = scheme;
  if (typeof key === "object" && "secret" in key) return { secret: newKeyText(key.secret), privateKey: null, served: null };
  const [alg] = scheme.algorithms;
  const pair = alg === "ES256" ? await newEcPair() : await newRsaPair();
  if (key === "pem") return { secret: pair.publicKey, privateKey: pair.privateKey, served: null };
  const jwk = { ...(await publicJwk(pair.publicKey, alg)), kid: LOCAL_KID, alg, use: "sig" };
  const isEndpoint = "endpoint" in key;
  return {
    secret: isEndpoint ? `local:${newKeyText("utf8")}` : `local-${newKeyText("utf8").slice(0, 16)}`,
    privateKey: pair.privateKey,
    served: JSON.stringify(isEndpoint ? { [key.answerField]: jwk } : { keys: [jwk] }),
  };
}

async function newEcPair(): Promise<{ readonly publicKey: string; readonly privateKey: string }> {
  const pair = (await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"])) as {
    readonly publicKey: WebKey;
    readonly privateKey: WebKey;
  };
  return {
    publicKey: toPem("PUBLIC KEY", (await crypto.subtle.exportKey("spki", pair.publicKey)) as ArrayBuffer),
    privateKey: toPem("PRIVATE KEY", (await crypto.subtle.exportKey("pkcs8", pair.privateKey)) as ArrayBuffer),
  };
}

async function publicJwk(pem: string, algorithm: JwtAlgorithm): Promise<object> {
  return exportJWK(await importSPKI(pem, algorithm, { extractable: true }));
}
