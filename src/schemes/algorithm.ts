/** What each algorithm brings to signed-message.ts, and which of a source's secrets are keys of it. */
import type { Delivery } from "../core/delivery.ts";
import type { Rejection, SecretSlot, Secrets } from "../core/reasons.ts";
import type { Circumstances } from "./request.ts";
import type { SignedMessage } from "./signed-message.ts";

/** Now, where it is known already, or soon. */
export type Soon<Value> = Value | Promise<Value>;

/** What is special to one algorithm. No closures: this is all made once. */
export interface Algorithm<Scheme extends SignedMessage, Key> {
  /** A signature's length in bytes; null: it varies. */
  signatureBytes(scheme: Scheme): number | null;
  /** For the operator: what the secret should look like. */
  secretShape(scheme: Scheme): string;
  /** Signatures of one request that are tried: each may cost as much as the first. */
  readonly signaturesLimit: number;
  /** null: the secret cannot be a key. `view`: the request, or the item of it. */
  keyOf(scheme: Scheme, secret: string, view: Delivery): Soon<Key | null>;
  /** Whether the request names a key that it must not, before anything is computed for it. */
  refusesKey?(scheme: Scheme, view: Delivery, usable: readonly UsableKey<Key>[]): Rejection | null;
  /** Whether any of the signatures is one of this message; a Rejection: it cannot be told. */
  isAny(attempt: Attempt<Scheme, Key>): Promise<boolean | Rejection>;
}

export interface Attempt<Scheme, Key> {
  readonly scheme: Scheme;
  readonly key: Key;
  readonly message: Uint8Array;
  readonly signatures: readonly Uint8Array[];
  readonly view: Delivery;
  readonly circumstances: Circumstances;
}

/** Providers send one signature per secret in rotation: a handful. A MAC is made once, and then each costs a comparison. */
export const CHEAP_SIGNATURES_LIMIT = 16;
/** With public keys each signature costs a whole verification. */
export const COSTLY_SIGNATURES_LIMIT = 4;

interface UsableKey<Key> {
  readonly slot: SecretSlot;
  readonly secret: string;
  readonly key: Key;
}

export interface UsableKeys<Key> {
  readonly usable: readonly UsableKey<Key>[];
  readonly malformed: Rejection | null;
}

export function usableKeys<Scheme extends SignedMessage, Key>(
  scheme: Scheme,
  algorithm: Algorithm<Scheme, Key>,
  secrets: Secrets,
  view: Delivery,
): Soon<UsableKeys<Key>> {
  const current = secrets.current === null ? null : algorithm.keyOf(scheme, secrets.current, view);
  const next = secrets.next === null ? null : algorithm.keyOf(scheme, secrets.next, view);
  if (current instanceof Promise || next instanceof Promise)
    return Promise.all([current, next]).then((keys) => keysOf(scheme, algorithm, secrets, keys[0], keys[1]));
  return keysOf(scheme, algorithm, secrets, current, next);
}

function keysOf<Scheme extends SignedMessage, Key>(
  scheme: Scheme,
  algorithm: Algorithm<Scheme, Key>,
  secrets: Secrets,
  current: Key | null,
  next: Key | null,
): UsableKeys<Key> {
  const usable: UsableKey<Key>[] = [];
  if (secrets.current !== null && current !== null) usable.push({ slot: "current", secret: secrets.current, key: current });
  if (secrets.next !== null && next !== null) usable.push({ slot: "next", secret: secrets.next, key: next });
  const isMalformed = (secrets.current !== null && current === null) || (secrets.next !== null && next === null);
  if (!isMalformed) return { usable, malformed: null };
  const secret = secrets.current !== null && current === null ? "current" : "next";
  return { usable, malformed: { reason: "secret_malformed", secret, expected: algorithm.secretShape(scheme) } };
}
