/**
 * What all signatures over a message have in common: where they stand, what they cover, when they were made. Any of several signatures, any of two
 * secrets, exact bytes, bounded time. Each algorithm (hmac.ts, hash.ts, ed25519.ts, ecdsa.ts, rsa.ts) brings its verifier and its signer.
 */
import { placeOf, type Delivery, type Reader } from "../core/delivery.ts";
import { sliceItems } from "../core/json-slices.ts";
import { valueAt } from "../core/json-body.ts";
import type { Rejection, SecretSlot, Secrets } from "../core/reasons.ts";
import { failed, ok, type Result } from "../core/result.ts";
import { utf8 } from "./bytes.ts";
import { isSameText } from "./compare.ts";
import { sha256Hex } from "./digest.ts";
import { splitSecret } from "./key.ts";
import { put, setAt, viewOf } from "./put.ts";
import type { Circumstances, Match, Outgoing, Signed, SigningKeys } from "./request.ts";
import { readSignatures, shapeOf, writeSignature, type Candidates, type SignatureFormat } from "./signature.ts";
import { assemble, flatten, uses, type Part } from "./template.ts";
import { outsideWindow, readTime, timePlace, writeTime, type TimestampRule } from "./timestamp.ts";

export interface SignedMessage {
  readonly signature: SignatureFormat;
  /** What is signed, in order. */
  readonly message: readonly Part[];
  /** What the provider may have signed instead. */
  readonly alternatives?: readonly (readonly Part[])[];
  /** The signed time, or null where the provider signs none. */
  readonly timestamp: TimestampRule | null;
  /** Where the signature covers only the URL: the parameter with the hex SHA-256 of a body that is not a form (Twilio). */
  readonly bodyDigest?: Reader;
  /** Each element of this array is signed by itself, and all of them must be (Adyen). Everything above is then relative to it. */
  readonly items?: readonly string[];
  /** Where the signature proves only the platform: the value that must be the source's secret (the topic of SNS). */
  readonly pinned?: Reader;
  /** Values that line ends separate in the message: one inside them would let a signature be read as that of other values (SNS). */
  readonly singleLine?: readonly Reader[];
  /**
   * Values that must match a whole-string regular expression, where the message does not keep its parts apart: what ends one value could else be read as
   * the beginning of the next (Adyen, Klaviyo).
   */
  readonly forms?: readonly { readonly at: Reader; readonly pattern: string; readonly expected: string }[];
}

/** Whether any of the signatures is one of this message; a Rejection: it cannot be told. */
export type Verifier = (message: Uint8Array, signatures: readonly Uint8Array[]) => Promise<boolean | Rejection>;

export interface Algorithm {
  /** A signature's length in bytes; null: it varies. */
  readonly signatureBytes: number | null;
  /** For the operator: what the secret should look like. */
  readonly secretShape: string;
  /** null: the secret cannot be a key. `view`: the request, or the item of it, for keys that it names. */
  verifier(secret: string, view: Delivery, circumstances: Circumstances): Promise<Verifier | null>;
}

interface UsableKey {
  readonly slot: SecretSlot;
  readonly secret: string;
  readonly verifier: Verifier;
}

interface Matched {
  readonly key: UsableKey;
  readonly sentAtMs: number | null;
}

export async function verifySigned(
  rules: SignedMessage,
  algorithm: Algorithm,
  delivery: Delivery,
  secrets: Secrets,
  circumstances: Circumstances,
): Promise<Result<Match, Rejection>> {
  const views = viewsOf(rules, delivery);
  let matched: SecretSlot | null = null;
  for (const view of views) {
    const keys = await usableKeys(algorithm, secrets, view, circumstances);
    if (!keys.ok) return keys;
    const outcome = await matchOne(rules, algorithm, keys.value, view);
    if (!outcome.ok) return outcome;
    const refused = await refusal(rules, outcome.value, view, circumstances);
    if (refused !== null) return failed(refused);
    matched ??= outcome.value.key.slot;
  }
  return matched === null
    ? failed({ reason: "signature_missing", place: `an item of "${rules.items?.join(".") ?? ""}" in the body` })
    : ok({ matched });
}

function viewsOf(rules: SignedMessage, delivery: Delivery): readonly Delivery[] {
  return rules.items === undefined ? [delivery] : (sliceItems(delivery.body, rules.items) ?? []).map((item) => delivery.item(item));
}

async function usableKeys(
  algorithm: Algorithm,
  secrets: Secrets,
  view: Delivery,
  circumstances: Circumstances,
): Promise<Result<{ readonly usable: readonly UsableKey[]; readonly malformed: Rejection | null }, Rejection>> {
  const usable: UsableKey[] = [];
  let malformed: Rejection | null = null;
  for (const slot of ["current", "next"] as const) {
    const secret = secrets[slot];
    if (secret === null) continue;
    const verifier = await algorithm.verifier(secret, view, circumstances);
    if (verifier !== null) usable.push({ slot, secret, verifier });
    else malformed ??= { reason: "secret_malformed", secret: slot, expected: algorithm.secretShape };
  }
  return usable.length === 0 ? failed(malformed ?? { reason: "secret_missing" }) : ok({ usable, malformed });
}

async function matchOne(
  rules: SignedMessage,
  algorithm: Algorithm,
  keys: { readonly usable: readonly UsableKey[]; readonly malformed: Rejection | null },
  view: Delivery,
): Promise<Result<Matched, Rejection>> {
  const { signature, timestamp } = rules;
  const texts = signature.at.flatMap((reader) => view.read(reader) ?? []).filter((text) => text.trim() !== "");
  if (texts.length === 0) return failed({ reason: "signature_missing", place: placesOf(signature.at) });
  const candidates = readSignatures(signature, texts, algorithm.signatureBytes);
  if (candidates.length === 0) {
    const expected = shapeOf(signature, algorithm.signatureBytes);
    return failed({ reason: "signature_malformed", place: placesOf(signature.at), expected });
  }

  let problem: Rejection | null = null;
  let signaturesTried = 0;
  for (const group of timestamp?.at === "signature" ? candidates : [merged(candidates)]) {
    const time = timeOf(rules, group, view);
    if (!time.ok) {
      problem ??= time.failure;
      continue;
    }
    signaturesTried += group.signatures.length;
    const outcome = await matchGroup(rules, keys.usable, group.signatures, time.value.text, view);
    if (!outcome.ok) return outcome;
    if (outcome.value !== null) return ok({ key: outcome.value, sentAtMs: time.value.sentAtMs });
  }
  if (signaturesTried === 0 && problem !== null) return failed(problem);
  const mismatch = { reason: "signature_mismatch", secretsTried: keys.usable.length, signaturesTried, bodyBytes: view.body.length } as const;
  return failed(keys.malformed ?? mismatch);
}

/** The key that matches; null: none. */
async function matchGroup(
  rules: SignedMessage,
  keys: readonly UsableKey[],
  signatures: readonly Uint8Array[],
  timestamp: string,
  view: Delivery,
): Promise<Result<UsableKey | null, Rejection>> {
  for (const parts of [rules.message, ...(rules.alternatives ?? [])]) {
    const hasSecret = uses(parts, "secret");
    let message: Result<Uint8Array, Rejection> | null = null;
    for (const key of keys) {
      // Once for all keys: it may be 10 MiB.
      if (message === null || hasSecret) message = await assemble(parts, { delivery: view, timestamp, secret: key.secret });
      if (!message.ok) return message;
      const verdict = await key.verifier(message.value, signatures);
      if (typeof verdict !== "boolean") return failed(verdict);
      if (verdict) return ok(key);
    }
  }
  return ok(null);
}

/** After the signature, never before: only then does "too old" mean "genuine, but late", which an operator treats unlike a forgery. */
async function refusal(
  { bodyDigest, pinned, singleLine, forms }: SignedMessage,
  { key, sentAtMs }: Matched,
  view: Delivery,
  { nowMs, toleranceMs }: Circumstances,
): Promise<Rejection | null> {
  const digest = bodyDigest === undefined ? null : view.read(bodyDigest);
  // A form is signed itself; but where there is a digest it counts, or a captured request could be sent again as an empty form.
  if (bodyDigest !== undefined && (view.form === null || digest !== null) && digest?.toLowerCase() !== (await sha256Hex(view.body)))
    return { reason: "body_digest_mismatch", place: placeOf(bodyDigest) };
  if (pinned !== undefined && !(await isSameText(view.read(pinned) ?? "", key.secret))) return { reason: "not_for_us", place: placeOf(pinned) };
  const torn = singleLine?.find((reader) => /\p{Cc}/u.test(view.read(reader) ?? ""));
  if (torn !== undefined) return { reason: "not_for_us", place: placeOf(torn) };
  const odd = forms?.find(({ at, pattern }) => !new RegExp(`^(?:${pattern})$`, "u").test(view.read(at) ?? ""));
  if (odd !== undefined) return { reason: "signed_part_malformed", place: placeOf(odd.at), expected: odd.expected };
  return sentAtMs === null ? null : outsideWindow(sentAtMs, nowMs, toleranceMs);
}

function timeOf(
  rules: SignedMessage,
  group: Candidates,
  view: Delivery,
): Result<{ readonly text: string; readonly sentAtMs: number | null }, Rejection> {
  const { timestamp, signature } = rules;
  if (timestamp === null) return ok({ text: "", sentAtMs: null });
  const texts = timestamp.at === "signature" ? group.timestamps : [view.read(timestamp.at) ?? ""];
  return readTime(timestamp, texts, timePlace(timestamp, signature.at));
}

const merged = (all: readonly Candidates[]): Candidates => ({ signatures: all.flatMap((one) => one.signatures), timestamps: [] });

const placesOf = (readers: readonly Reader[]): string => readers.slice(0, 2).map(placeOf).join(" or ") + (readers.length > 2 ? ", ..." : "");

/** The request as its sender would make it. */
export async function signSigned(
  rules: SignedMessage,
  outgoing: Outgoing,
  { secret }: SigningKeys,
  mac: (message: Uint8Array) => Promise<Uint8Array>,
): Promise<Signed> {
  const { items } = rules;
  if (items !== undefined) return signItems(rules, items, outgoing, { secret, privateKey: null }, mac);
  const timestamp = rules.timestamp === null ? "" : writeTime(rules.timestamp, outgoing.timestampMs);
  let request: Signed = outgoing;
  for (const part of flatten(rules.message)) {
    if (typeof part === "object" && "id" in part) request = put(request, { header: part.id }, outgoing.headers[part.id] ?? outgoing.id);
  }
  if (rules.timestamp !== null && rules.timestamp.at !== "signature") {
    request = put(request, rules.timestamp.at, timestamp, rules.timestamp.unit !== "iso");
  }
  if (rules.pinned !== undefined) request = put(request, rules.pinned, secret);
  if (rules.bodyDigest !== undefined && viewOf(request).form === null) request = put(request, rules.bodyDigest, await sha256Hex(request.body));
  const message = await assemble(rules.message, { delivery: viewOf(request), timestamp, secret });
  if (!message.ok)
    throw new TypeError(`the message cannot be signed: ${message.failure.reason} ${"place" in message.failure ? message.failure.place : ""}`);
  const [at] = rules.signature.at;
  if (at === undefined) throw new TypeError("the scheme has no place for a signature");
  return put(request, at, writeSignature(rules.signature, await mac(message.value), timestamp, splitSecret(secret)?.id ?? ""));
}

async function signItems(
  rules: SignedMessage,
  items: readonly string[],
  outgoing: Outgoing,
  keys: SigningKeys,
  mac: (message: Uint8Array) => Promise<Uint8Array>,
): Promise<Signed> {
  const { items: _, ...each } = rules;
  const root: unknown = JSON.parse(new TextDecoder().decode(outgoing.body));
  const list = valueAt(root, items);
  if (!Array.isArray(list)) throw new TypeError(`the body has no array at "${items.join(".")}"`);
  const signed: unknown[] = [];
  for (const item of list) {
    const one = await signSigned(each, { ...outgoing, body: utf8(JSON.stringify(item)) }, keys, mac);
    signed.push(JSON.parse(new TextDecoder().decode(one.body)));
  }
  return { ...outgoing, body: utf8(JSON.stringify(setAt(root, items, signed))) };
}
