/** The only comparisons of secret values, in constant time: `crypto.subtle.verify` does them, on the MACs of both sides. */
import { utf8 } from "./bytes.ts";
import type { WebKey } from "./key.ts";

/**
 * A test for "is this the expected MAC?" under the key that made it. Comparing HMAC(expected) with HMAC(candidate) lets one pass over the
 * message serve every candidate: a forged header with 16 signatures must not cost 16 passes over 10 MiB.
 */
export async function equalTo(key: WebKey, expected: ArrayBuffer): Promise<(candidate: Uint8Array) => Promise<boolean>> {
  const proof = await crypto.subtle.sign("HMAC", key, expected);
  return (candidate) => crypto.subtle.verify("HMAC", key, proof, candidate);
}

/** Whether two byte strings are the same, without telling by time how far they are, nor how long the secret one is. */
export async function isSameBytes(left: Uint8Array, right: Uint8Array): Promise<boolean> {
  const key = await crypto.subtle.importKey("raw", crypto.getRandomValues(new Uint8Array(32)), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
    "verify",
  ]);
  return crypto.subtle.verify("HMAC", key, await crypto.subtle.sign("HMAC", key, left), right);
}

export function isSameText(left: string, right: string): Promise<boolean> {
  return isSameBytes(utf8(left), utf8(right));
}
