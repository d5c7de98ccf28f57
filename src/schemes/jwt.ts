/** JSON Web Tokens, RFC 7519 and RFC 8725: `jose` verifies them, the preset says which are meant. */
import { errors, jwtVerify, SignJWT, type JWTPayload } from "jose";
import { placeOf, type Delivery, type Reader } from "../core/delivery.ts";
import type { Rejection, SecretSlot, Secrets } from "../core/reasons.ts";
import { failed, ok, type Result } from "../core/result.ts";
import { toBase64, utf8 } from "./bytes.ts";
import { isSameText } from "./compare.ts";
import { sha256, sha256Hex } from "./digest.ts";
import { isSecret, keyFor, LOCAL_KID, shapeOf, signingKey, type JwtKeyRules } from "./jwt-keys.ts";
import { put } from "./put.ts";
import type { Circumstances, Match, Outgoing, Signed, SigningKeys } from "./request.ts";
import { outsideWindow } from "./timestamp.ts";
import { tokenAfter } from "./token.ts";

export interface JwtScheme extends JwtKeyRules {
  readonly kind: "jwt";
  readonly at: Reader;
  /** Before the token: `Bearer `, or nothing. */
  readonly prefix: string;
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

/** Far above any that a provider sends; it bounds what is parsed before the signature is known to be right. */
const TOKEN_LIMIT_CHARACTERS = 8_192;

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

function tokenIn(scheme: JwtScheme, text: string): string | null {
  const token = tokenAfter(scheme.prefix, text);
  const isToken = token !== null && token.length <= TOKEN_LIMIT_CHARACTERS && /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/.test(token);
  return isToken ? token : null;
}

async function digestText(bytes: Uint8Array, encoding: "hex" | "base64"): Promise<string> {
  return encoding === "hex" ? sha256Hex(bytes) : toBase64(await sha256(bytes));
}

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
