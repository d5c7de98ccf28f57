/** A plain hash over a message that contains the secret: what some providers had before they knew of HMAC. */
import type { Delivery } from "../core/delivery.ts";
import type { Rejection, Secrets } from "../core/reasons.ts";
import type { Result } from "../core/result.ts";
import { CHEAP_SIGNATURES_LIMIT, type Algorithm } from "./algorithm.ts";
import { isSameBytes } from "./compare.ts";
import { HASH_BYTES, type Hash } from "./hmac.ts";
import { newKeyText } from "./key.ts";
import type { Circumstances, Match, NewKeys, Outgoing, Signed, SigningKeys } from "./request.ts";
import { signSigned } from "./sign-message.ts";
import { verifySigned, type SignedMessage } from "./signed-message.ts";

export interface HashScheme extends SignedMessage {
  readonly kind: "hash";
  readonly hash: Hash;
}

/** The secret is in the message, and is the key. */
const ALGORITHM: Algorithm<HashScheme, string> = {
  signatureBytes: ({ hash }) => HASH_BYTES[hash],
  secretShape: () => "a text",
  signaturesLimit: CHEAP_SIGNATURES_LIMIT,
  keyOf: (_scheme, secret) => (secret === "" ? null : secret),
  async isAny({ scheme, message, signatures }) {
    const digest = await digestOf(scheme, message);
    for (const signature of signatures) if (await isSameBytes(digest, signature)) return true;
    return false;
  },
};

export function verifyHash(
  scheme: HashScheme,
  delivery: Delivery,
  secrets: Secrets,
  circumstances: Circumstances,
): Promise<Result<Match, Rejection>> {
  return verifySigned(scheme, ALGORITHM, delivery, secrets, circumstances);
}

export function signHash(scheme: HashScheme, outgoing: Outgoing, keys: SigningKeys): Promise<Signed> {
  return signSigned(scheme, outgoing, keys, (message) => digestOf(scheme, message));
}

export function newHashKeys(): NewKeys {
  return { secret: newKeyText("utf8"), privateKey: null, served: null };
}

async function digestOf(scheme: HashScheme, message: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest(scheme.hash, message));
}
