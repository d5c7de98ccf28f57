/** The HMAC of a challenge, for handshakes that ask whether we hold the secret. */
import { utf8 } from "./bytes.ts";
import { importHmacKey, type Hash } from "./hmac.ts";
import type { KeyForm } from "./key.ts";
import { encode, type Encoding } from "./signature.ts";

/** A responder is an oracle under the key that signs bodies: it answers only to what cannot be taken for a body. */
export interface ProofRules {
  readonly hash: Hash;
  readonly key: KeyForm;
  readonly encoding: Encoding;
  readonly prefix: string;
  /** The challenge must match this whole-string regular expression. */
  readonly pattern: string;
}

/** Whether this is a challenge that we answer. */
export function isChallengeFor({ pattern }: ProofRules, text: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(text);
}

/** null: not a challenge that we answer, or the secret cannot be a key. */
export async function proofOf(rules: ProofRules, challenge: string, secret: string): Promise<string | null> {
  if (!isChallengeFor(rules, challenge)) return null;
  const key = await importHmacKey(rules, secret);
  if (key === null) return null;
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8(challenge)));
  return `${rules.prefix}${encode(rules.encoding, mac)}`;
}
