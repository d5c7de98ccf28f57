/** ECDSA over P-256. The secret is the provider's public key, SPKI in PEM or bare base64. */
import type { Delivery } from "../core/delivery.ts";
import type { Rejection, Secrets } from "../core/reasons.ts";
import type { Result } from "../core/result.ts";
import { COSTLY_SIGNATURES_LIMIT, type Algorithm } from "./algorithm.ts";
import { concat, toBase64 } from "./bytes.ts";
import type { WebKey } from "./key.ts";
import { KnownKeys } from "./known-keys.ts";
import { importPrivateKey, importPublicKey, newPair, type NewPair } from "./pem.ts";
import type { Circumstances, Match, NewKeys, Outgoing, Signed, SigningKeys } from "./request.ts";
import { signSigned } from "./sign-message.ts";
import { verifySigned, type SignedMessage } from "./signed-message.ts";

export interface EcdsaScheme extends SignedMessage {
  readonly kind: "ecdsa";
  readonly hash: "SHA-1" | "SHA-256";
  /** ASN.1 (X9.62), or r and s as 32 bytes each (IEEE P1363, what Web Crypto takes). */
  readonly form: "der" | "raw";
}

const P256 = { name: "ECDSA", namedCurve: "P-256" } as const;
const RAW_BYTES = 64;
const INTEGER_BYTES = 32;

const known = new KnownKeys<EcdsaScheme, WebKey | null>();

const ALGORITHM: Algorithm<EcdsaScheme, WebKey> = {
  signatureBytes: ({ form }) => (form === "raw" ? RAW_BYTES : null),
  secretShape: () => "a P-256 public key, PEM or the base64 of it",
  signaturesLimit: COSTLY_SIGNATURES_LIMIT,
  keyOf: (scheme, secret) => known.of(scheme, secret, () => importPublicKey(secret, P256)),
  isAny: ({ scheme, key, message, signatures }) => isAny(scheme, key, message, signatures),
};

export function verifyEcdsa(
  scheme: EcdsaScheme,
  delivery: Delivery,
  secrets: Secrets,
  circumstances: Circumstances,
): Promise<Result<Match, Rejection>> {
  return verifySigned(scheme, ALGORITHM, delivery, secrets, circumstances);
}

export async function signEcdsa(scheme: EcdsaScheme, outgoing: Outgoing, keys: SigningKeys): Promise<Signed> {
  if (keys.privateKey === null) throw new TypeError("an ECDSA signature needs the private key");
  const key = await importPrivateKey(keys.privateKey, P256);
  return signSigned(scheme, outgoing, keys, async (message) => {
    const raw = new Uint8Array(await crypto.subtle.sign({ name: "ECDSA", hash: scheme.hash }, key, message));
    return scheme.form === "raw" ? raw : toDer(raw);
  });
}

export async function newEcdsaKeys(): Promise<NewKeys> {
  const { spki, privateKey } = await newEcdsaPair();
  return { secret: toBase64(spki), privateKey, served: null };
}

export function newEcdsaPair(): Promise<NewPair> {
  return newPair(P256);
}

async function isAny(scheme: EcdsaScheme, key: WebKey, message: Uint8Array, signatures: readonly Uint8Array[]): Promise<boolean> {
  for (const signature of signatures) {
    const raw = scheme.form === "raw" ? signature : fromDer(signature);
    if (raw !== null && (await crypto.subtle.verify({ name: "ECDSA", hash: scheme.hash }, key, raw, message))) return true;
  }
  return false;
}

/** `SEQUENCE { INTEGER r, INTEGER s }` to 64 bytes. Canonical DER only: otherwise several texts would be one signature. */
export function fromDer(der: Uint8Array): Uint8Array | null {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return null;
  const r = integer(der, 2);
  if (r === null) return null;
  const s = integer(der, r.end);
  return s === null || s.end !== der.length ? null : concat([r.bytes, s.bytes]);
}

function integer(der: Uint8Array, at: number): { readonly bytes: Uint8Array; readonly end: number } | null {
  const length = der[at + 1] ?? 0;
  const start = at + 2;
  const end = start + length;
  if (der[at] !== 0x02 || length === 0 || length > INTEGER_BYTES + 1 || end > der.length) return null;
  const [first = 0, second = 0] = der.subarray(start, end);
  // Positive, and no longer than it must be: a leading zero only before a set top bit.
  if (first >= 0x80 || (length > 1 && first === 0 && second < 0x80)) return null;
  const magnitude = der.subarray(first === 0 && length > 1 ? start + 1 : start, end);
  if (magnitude.length > INTEGER_BYTES) return null;
  const bytes = new Uint8Array(INTEGER_BYTES);
  bytes.set(magnitude, INTEGER_BYTES - magnitude.length);
  return { bytes, end };
}

export function toDer(raw: Uint8Array): Uint8Array {
  const body = concat([raw.subarray(0, INTEGER_BYTES), raw.subarray(INTEGER_BYTES)].map(derInteger));
  return concat([new Uint8Array([0x30, body.length]), body]);
}

function derInteger(bytes: Uint8Array): Uint8Array {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const magnitude = bytes.subarray(start);
  const sign = (magnitude[0] ?? 0) >= 0x80 ? new Uint8Array([0]) : new Uint8Array(0);
  return concat([new Uint8Array([0x02, sign.length + magnitude.length]), sign, magnitude]);
}
