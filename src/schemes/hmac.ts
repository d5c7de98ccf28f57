/** HMAC, RFC 2104. */
import type { Delivery } from "../core/delivery.ts";
import type { Rejection, Secrets } from "../core/reasons.ts";
import type { Result } from "../core/result.ts";
import { CHEAP_SIGNATURES_LIMIT, type Algorithm, type Soon } from "./algorithm.ts";
import { equalTo } from "./compare.ts";
import { KEY_SHAPES, keyBytes, newKeyText, type KeyForm, type WebKey } from "./key.ts";
import { KnownKeys } from "./known-keys.ts";
import type { Circumstances, Match, NewKeys, Outgoing, Signed, SigningKeys } from "./request.ts";
import { signSigned } from "./sign-message.ts";
import { verifySigned, type SignedMessage } from "./signed-message.ts";

export type Hash = "SHA-1" | "SHA-256" | "SHA-384" | "SHA-512";

export const HASH_BYTES: Readonly<Record<Hash, number>> = { "SHA-1": 20, "SHA-256": 32, "SHA-384": 48, "SHA-512": 64 };

export interface HmacScheme extends SignedMessage {
  readonly kind: "hmac";
  readonly hash: Hash;
  readonly key: KeyForm;
}

const known = new KnownKeys<HmacScheme, WebKey | null>();

const ALGORITHM: Algorithm<HmacScheme, WebKey> = {
  signatureBytes: ({ hash }) => HASH_BYTES[hash],
  secretShape: ({ key }) => KEY_SHAPES[key],
  signaturesLimit: CHEAP_SIGNATURES_LIMIT,
  keyOf,
  isAny: ({ key, message, signatures }) => isAny(key, message, signatures),
};

export function verifyHmac(
  scheme: HmacScheme,
  delivery: Delivery,
  secrets: Secrets,
  circumstances: Circumstances,
): Promise<Result<Match, Rejection>> {
  return verifySigned(scheme, ALGORITHM, delivery, secrets, circumstances);
}

export async function signHmac(scheme: HmacScheme, outgoing: Outgoing, keys: SigningKeys): Promise<Signed> {
  const key = await keyOf(scheme, keys.secret);
  if (key === null) throw new TypeError(`the secret cannot be a key: expected ${KEY_SHAPES[scheme.key]}`);
  return signSigned(scheme, outgoing, keys, async (message) => new Uint8Array(await crypto.subtle.sign("HMAC", key, message)));
}

export function newHmacKeys(scheme: HmacScheme): NewKeys {
  return { secret: newKeyText(scheme.key), privateKey: null, served: null };
}

function keyOf(scheme: HmacScheme, secret: string): Soon<WebKey | null> {
  return known.of(scheme, secret, () => importHmacKey(scheme, secret));
}

/** null: the secret cannot be a key. */
export async function importHmacKey({ key, hash }: Pick<HmacScheme, "key" | "hash">, secret: string): Promise<WebKey | null> {
  const bytes = await keyBytes(key, secret);
  return bytes === null ? null : crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash }, false, ["sign", "verify"]);
}

/** In constant time, both ways. */
function isAny(key: WebKey, message: Uint8Array, signatures: readonly Uint8Array[]): Promise<boolean> {
  const [only] = signatures;
  return only !== undefined && signatures.length === 1 ? crypto.subtle.verify("HMAC", key, only, message) : isAnyOf(key, message, signatures);
}

async function isAnyOf(key: WebKey, message: Uint8Array, signatures: readonly Uint8Array[]): Promise<boolean> {
  const isExpected = await equalTo(key, await crypto.subtle.sign("HMAC", key, message));
  for (const signature of signatures) if (await isExpected(signature)) return true;
  return false;
}
