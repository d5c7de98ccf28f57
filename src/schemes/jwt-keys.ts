/** The keys of tokens: configured, a published key set, or asked for one by one. Getting them to verify and to sign. */
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  exportJWK,
  importPKCS8,
  importSPKI,
  type JSONWebKeySet,
  type jwtVerify,
  type ProtectedHeaderParameters,
  type SignJWT,
} from "jose";
import type { Rejection } from "../core/reasons.ts";
import { failed, ok, type Result } from "../core/result.ts";
import { newEcdsaPair } from "./ecdsa.ts";
import { KEY_SHAPES, keyBytes, newKeyText, splitSecret, type KeyForm } from "./key.ts";
import { importPublicKey, type PublicKeyParams } from "./pem.ts";
import type { Circumstances, NewKeys, SigningKeys } from "./request.ts";
import { newRsaPair } from "./rsa.ts";

export type JwtAlgorithm = "HS256" | "HS384" | "HS512" | "RS256" | "ES256";

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
  | {
      readonly endpoint: string;
      readonly idField: string;
      readonly secretField: string;
      readonly kidField: string;
      readonly answerField: string;
      /** What every name of a key looks like, as a whole-string regular expression: nothing else is asked for. */
      readonly kid: string;
      /** The key's own field that says when it was withdrawn: with anything but null in it, it is none. */
      readonly expiredField: string;
    };

/** What of a scheme is about its keys. */
export interface JwtKeyRules {
  readonly key: JwtKey;
  /** The only ones that are accepted; `none` cannot be written here. The first signs. */
  readonly algorithms: readonly [JwtAlgorithm, ...JwtAlgorithm[]];
}

type VerifyKey = Exclude<Parameters<typeof jwtVerify>[1], undefined>;
type SigningKey = Parameters<SignJWT["sign"]>[0];

/** The key that a token is verified with. `fresh`: what a cached key set did not hold is asked for again. */
export async function keyFor(
  key: JwtKey,
  secret: string,
  token: string,
  { fetchKey }: Circumstances,
  fresh: boolean,
): Promise<Result<VerifyKey | ReturnType<typeof createLocalJWKSet>, Rejection>> {
  const malformed = { reason: "secret_malformed", secret: "current", expected: shapeOf(key) } as const;
  if (key === "pem") {
    const imported = await pemKey(secret, headerOf(token).alg ?? "");
    return imported === null ? failed(malformed) : ok(imported);
  }
  if ("secret" in key) {
    const bytes = await keyBytes(key.secret, secret);
    return bytes === null ? failed(malformed) : ok(bytes);
  }
  if ("endpoint" in key) return keyByName(key, secret, headerOf(token).kid, fetchKey);
  const document = await fetchKey({ url: key.keySet, fresh });
  if (!document.ok) return document;
  try {
    return ok(createLocalJWKSet(JSON.parse(document.value) as JSONWebKeySet));
  } catch {
    return failed({ reason: "key_unknown", host: new URL(key.keySet).hostname });
  }
}

type KeyEndpoint = Extract<JwtKey, { readonly endpoint: string }>;

async function keyByName(
  key: KeyEndpoint,
  secret: string,
  kid: unknown,
  fetchKey: Circumstances["fetchKey"],
): Promise<Result<ReturnType<typeof createLocalJWKSet>, Rejection>> {
  // Asking costs a call with the operator's credentials: not for what is no name of a key.
  if (typeof kid !== "string" || !new RegExp(`^(?:${key.kid})$`).test(kid)) return failed({ reason: "key_not_allowed", place: "the token's kid" });
  const parts = splitSecret(secret);
  const post = JSON.stringify({ [key.idField]: parts?.id, [key.secretField]: parts?.key, [key.kidField]: kid });
  const document = await fetchKey({ url: key.endpoint, post, named: true });
  if (!document.ok) return document;
  const unknown = failed({ reason: "key_unknown", host: new URL(key.endpoint).hostname } as const);
  try {
    const jwk = fieldsOf(fieldsOf(JSON.parse(document.value))[key.answerField]);
    if ((jwk[key.expiredField] ?? null) !== null) return unknown;
    return ok(createLocalJWKSet({ keys: [jwk as unknown as JSONWebKeySet["keys"][number]] }));
  } catch {
    return unknown;
  }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** Not verified yet: it says only which key to try. */
function headerOf(token: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(token);
  } catch {
    return {};
  }
}

function pemKey(text: string, algorithm: string): Promise<VerifyKey | null> {
  const params: PublicKeyParams = algorithm === "ES256" ? { name: "ECDSA", namedCurve: "P-256" } : { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  return importPublicKey(text, params);
}

/** Whether a configured secret can serve. */
export async function isSecret(key: JwtKey, secret: string): Promise<boolean> {
  if (key === "pem") return (await pemKey(secret, "RS256")) !== null || (await pemKey(secret, "ES256")) !== null;
  if ("secret" in key) return (await keyBytes(key.secret, secret)) !== null;
  return "endpoint" in key ? /^[^:]+:.+$/.test(secret) : secret !== "";
}

/** For the operator: what the secret should look like. */
export function shapeOf(key: JwtKey): string {
  if (key === "pem") return "a public key in PEM";
  if ("secret" in key) return KEY_SHAPES[key.secret];
  return "endpoint" in key ? "id:secret" : "a text";
}

/** Its kid in development and tests, where the served key set has one key. A UUID, since some providers name their keys so. */
export const LOCAL_KID = "00000000-0000-4000-8000-000000000000";

export async function signingKey({ key }: JwtKeyRules, { secret, privateKey }: SigningKeys, algorithm: JwtAlgorithm): Promise<SigningKey> {
  if (typeof key === "object" && "secret" in key) {
    const bytes = await keyBytes(key.secret, secret);
    if (bytes === null) throw new TypeError(`the secret cannot be a key: expected ${shapeOf(key)}`);
    return bytes;
  }
  if (privateKey === null) throw new TypeError(`a token signed with ${algorithm} needs the private key`);
  return importPKCS8(privateKey, algorithm);
}

export async function newJwtKeys({ key, algorithms }: JwtKeyRules): Promise<NewKeys> {
  if (typeof key === "object" && "secret" in key) return { secret: newKeyText(key.secret), privateKey: null, served: null };
  const [alg] = algorithms;
  const pair = alg === "ES256" ? await newEcdsaPair() : await newRsaPair();
  if (key === "pem") return { secret: pair.publicKey, privateKey: pair.privateKey, served: null };
  const jwk = { ...(await publicJwk(pair.publicKey, alg)), kid: LOCAL_KID, alg, use: "sig" };
  const isEndpoint = "endpoint" in key;
  return {
    secret: isEndpoint ? `local:${newKeyText("utf8")}` : `local-${newKeyText("utf8").slice(0, 16)}`,
    privateKey: pair.privateKey,
    served: JSON.stringify(isEndpoint ? { [key.answerField]: jwk } : { keys: [jwk] }),
  };
}

async function publicJwk(pem: string, algorithm: JwtAlgorithm): Promise<object> {
  return exportJWK(await importSPKI(pem, algorithm, { extractable: true }));
}
