/** Ed25519, RFC 8032. The secret is the provider's public key. */
import type { Delivery } from "../core/delivery.ts";
import type { Rejection, Secrets } from "../core/reasons.ts";
import type { Result } from "../core/result.ts";
import { COSTLY_SIGNATURES_LIMIT, type Algorithm } from "./algorithm.ts";
import { fromBase64, fromHex, padded, toBase64, toHex } from "./bytes.ts";
import type { WebKey } from "./key.ts";
import { KnownKeys } from "./known-keys.ts";
import { importPrivateKey, newPair } from "./pem.ts";
import type { Circumstances, Match, NewKeys, Outgoing, Signed, SigningKeys } from "./request.ts";
import { signSigned } from "./sign-message.ts";
import { verifySigned, type SignedMessage } from "./signed-message.ts";

export interface Ed25519Scheme extends SignedMessage {
  readonly kind: "ed25519";
  /** How the 32 bytes of the public key are written; `whpk`: base64 after that prefix. */
  readonly key: "hex" | "base64" | "whpk";
}

const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const SHAPES = { hex: "a public key of 64 hex digits", base64: "a public key, base64 of 32 bytes", whpk: "whpk_ and base64 of 32 bytes" } as const;
const ED25519 = { name: "Ed25519" } as const;

const known = new KnownKeys<Ed25519Scheme, WebKey | null>();

const ALGORITHM: Algorithm<Ed25519Scheme, WebKey> = {
  signatureBytes: () => SIGNATURE_BYTES,
  secretShape: ({ key }) => SHAPES[key],
  signaturesLimit: COSTLY_SIGNATURES_LIMIT,
  keyOf: (scheme, secret) => known.of(scheme, secret, () => publicKey(scheme, secret)),
  isAny: ({ key, message, signatures }) => isAny(key, message, signatures),
};

export function verifyEd25519(
  scheme: Ed25519Scheme,
  delivery: Delivery,
  secrets: Secrets,
  circumstances: Circumstances,
): Promise<Result<Match, Rejection>> {
  return verifySigned(scheme, ALGORITHM, delivery, secrets, circumstances);
}

export async function signEd25519(scheme: Ed25519Scheme, outgoing: Outgoing, keys: SigningKeys): Promise<Signed> {
  if (keys.privateKey === null) throw new TypeError("an Ed25519 signature needs the private key");
  const key = await importPrivateKey(keys.privateKey, ED25519);
  return signSigned(scheme, outgoing, keys, async (message) => new Uint8Array(await crypto.subtle.sign(ED25519, key, message)));
}

export async function newEd25519Keys(scheme: Ed25519Scheme): Promise<NewKeys> {
  const { spki, privateKey } = await newPair(ED25519);
  // It ends with the key itself (RFC 8410, 4).
  const raw = spki.slice(-KEY_BYTES);
  const secret = scheme.key === "hex" ? toHex(raw) : scheme.key === "base64" ? toBase64(raw) : `whpk_${toBase64(raw)}`;
  return { secret, privateKey, served: null };
}

async function publicKey(scheme: Ed25519Scheme, secret: string): Promise<WebKey | null> {
  const bytes = scheme.key === "hex" ? fromHex(secret) : fromBase64(padded(scheme.key === "whpk" ? secret.replace(/^whpk_/, "") : secret));
  if (bytes === null || bytes.length !== KEY_BYTES) return null;
  try {
    return await crypto.subtle.importKey("raw", bytes, ED25519, false, ["verify"]);
  } catch {
    return null; // Not a point on the curve.
  }
}

async function isAny(key: WebKey, message: Uint8Array, signatures: readonly Uint8Array[]): Promise<boolean> {
  for (const signature of signatures) if (await crypto.subtle.verify(ED25519, key, signature, message)) return true;
  return false;
}
