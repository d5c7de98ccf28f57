/** The HMAC of a challenge, for handshakes that ask whether we hold the secret. */
import { toBase64, toBase64Url, toHex, utf8 } from "./bytes.ts";
import type { Hash } from "./hmac.ts";
import { keyBytes, type KeyForm } from "./key.ts";

/** A responder is an oracle under the key that signs bodies: it answers only to what cannot be taken for a body. */
export interface ProofRules {
  readonly hash: Hash;
  readonly key: KeyForm;
  readonly encoding: "hex" | "base64" | "base64url";
  readonly prefix: string;
  /** The challenge must match this whole-string regular expression. */
  readonly pattern: string;
}

/** null: not a challenge that we answer, or the secret cannot be a key. */
export async function proofOf(rules: ProofRules, challenge: string, secret: string): Promise<string | null> {
  if (!new RegExp(`^(?:${rules.pattern})$`).test(challenge)) return null;
  const bytes = await keyBytes(rules.key, secret);
  if (bytes === null) return null;
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: rules.hash }, false, ["sign"]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8(challenge)));
  return `${rules.prefix}${rules.encoding === "hex" ? toHex(mac) : rules.encoding === "base64" ? toBase64(mac) : toBase64Url(mac)}`;
}
