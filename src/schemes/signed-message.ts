/**
 * What all signatures over a message have in common: where they stand, what they cover, when they were made. Any of several signatures, any of two
 * secrets, exact bytes, bounded time. Each algorithm (hmac.ts, hash.ts, ed25519.ts, ecdsa.ts, rsa.ts) brings its keys and its comparison. What can be
 * had at once is not awaited: a turn of the loop costs as much as the MAC of a kilobyte (bench/verify-cost.ts).
 */
import { placeOf, type Delivery, type Reader } from "../core/delivery.ts";
import { sliceItems } from "../core/json-slices.ts";
import { SIGNATURE_TEXT_LIMIT_CHARACTERS, SIGNED_ITEMS_LIMIT } from "../core/limits.ts";
import type { Rejection, Secrets } from "../core/reasons.ts";
import { failed, ok, type Result } from "../core/result.ts";
import { usableKeys, type Algorithm } from "./algorithm.ts";
import { refusal, timeBefore } from "./refusal.ts";
import type { Circumstances, Match } from "./request.ts";
import { readSignatures, shapeOf, type Candidates, type SignatureFormat } from "./signature.ts";
import { assemble, uses, type Part } from "./template.ts";
import type { TimestampRule } from "./timestamp.ts";

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
  /** A signed value that must be one of these (the Type of SNS). */
  readonly oneOf?: { readonly at: Reader; readonly texts: readonly string[] };
}

/** Groups, each with a time of its own, and so with a pass over the message: one for each secret in rotation, and to spare. */
const GROUPS_TRIED_LIMIT = 4;

export function verifySigned<Scheme extends SignedMessage, Key>(
  scheme: Scheme,
  algorithm: Algorithm<Scheme, Key>,
  delivery: Delivery,
  secrets: Secrets,
  circumstances: Circumstances,
): Promise<Result<Match, Rejection>> {
  return scheme.items === undefined
    ? verifyOne(scheme, algorithm, delivery, secrets, circumstances)
    : verifyItems(scheme, scheme.items, algorithm, delivery, secrets, circumstances);
}

/** One after the other: the first that is forged ends it. */
async function verifyItems<Scheme extends SignedMessage, Key>(
  scheme: Scheme,
  path: readonly string[],
  algorithm: Algorithm<Scheme, Key>,
  delivery: Delivery,
  secrets: Secrets,
  circumstances: Circumstances,
): Promise<Result<Match, Rejection>> {
  const place = `"${path.join(".")}" in the body`;
  const slices = sliceItems(delivery.body, path, SIGNED_ITEMS_LIMIT) ?? [];
  if (slices.length > SIGNED_ITEMS_LIMIT) return failed({ reason: "unverified_too_large", place, limit: `${SIGNED_ITEMS_LIMIT} items` });
  let matched: Match | null = null;
  for (const slice of slices) {
    const outcome = await verifyOne(scheme, algorithm, delivery.item(slice), secrets, circumstances);
    if (!outcome.ok) return outcome;
    matched ??= outcome.value;
  }
  return matched === null ? failed({ reason: "signature_missing", place: `an item of ${place}` }) : ok(matched);
}

async function verifyOne<Scheme extends SignedMessage, Key>(
  scheme: Scheme,
  algorithm: Algorithm<Scheme, Key>,
  view: Delivery,
  secrets: Secrets,
  circumstances: Circumstances,
): Promise<Result<Match, Rejection>> {
  const soon = usableKeys(scheme, algorithm, secrets, view);
  const { usable, malformed } = soon instanceof Promise ? await soon : soon;
  if (usable.length === 0) return failed(malformed ?? { reason: "secret_missing" });
  const groups = candidatesOf(scheme, algorithm, view);
  if (!groups.ok) return groups;
  const notAllowed = algorithm.refusesKey?.(scheme, view, usable) ?? null;
  if (notAllowed !== null) return failed(notAllowed);

  let problem: Rejection | null = null;
  let notOurs: Rejection | null = null;
  let signaturesTried = 0;
  for (const { signatures, timestamps } of groups.value) {
    const time = timeBefore(scheme, timestamps, view);
    if (!time.ok) {
      problem ??= time.failure;
      continue;
    }
    signaturesTried += signatures.length;
    for (let which = 0; which <= (scheme.alternatives?.length ?? 0); which++) {
      const parts = which === 0 ? scheme.message : (scheme.alternatives?.[which - 1] ?? []);
      let message: Result<Uint8Array, Rejection> | null = null;
      for (const { slot, secret, key } of usable) {
        // Once for all keys: it may be 10 MiB.
        if (message === null || uses(parts, "secret")) {
          const assembled = assemble(parts, { delivery: view, timestamp: time.value.text, secret });
          message = assembled instanceof Promise ? await assembled : assembled;
        }
        if (!message.ok) return message;
        const verdict = await algorithm.isAny({ scheme, key, message: message.value, signatures, view, circumstances });
        if (typeof verdict !== "boolean") return failed(verdict);
        if (!verdict) continue;
        const refused = refusal(scheme, secret, time.value.sentAtMs, view, circumstances);
        const reason = refused instanceof Promise ? await refused : refused;
        if (reason === null) return ok({ matched: slot });
        if (reason.reason !== "not_for_us") return failed(reason);
        // Of a platform's signature the secret is the address: it may be the other one's (SNS, while a topic is replaced).
        notOurs ??= reason;
      }
    }
  }
  if (notOurs !== null) return failed(notOurs);
  if (signaturesTried === 0 && problem !== null) return failed(problem);
  return failed(malformed ?? { reason: "signature_mismatch", secretsTried: usable.length, signaturesTried, bodyBytes: view.body.length });
}

function candidatesOf<Scheme extends SignedMessage, Key>(
  scheme: Scheme,
  algorithm: Algorithm<Scheme, Key>,
  view: Delivery,
): Result<readonly Candidates[], Rejection> {
  const { signature, timestamp } = scheme;
  const texts: string[] = [];
  let isTooLong = false;
  for (const reader of signature.at) {
    const text = view.read(reader);
    if (text === null || text.trim() === "") continue;
    isTooLong ||= text.length > SIGNATURE_TEXT_LIMIT_CHARACTERS;
    texts.push(text);
  }
  if (texts.length === 0) return failed({ reason: "signature_missing", place: placesOf(signature.at) });
  const bytes = algorithm.signatureBytes(scheme);
  const candidates = isTooLong ? [] : readSignatures(signature, texts, bytes, algorithm.signaturesLimit);
  if (candidates.length === 0) return failed({ reason: "signature_malformed", place: placesOf(signature.at), expected: shapeOf(signature, bytes) });
  if (timestamp?.at === "signature") return ok(candidates.slice(0, GROUPS_TRIED_LIMIT));
  return ok(candidates.length === 1 ? candidates : [{ signatures: candidates.flatMap((one) => one.signatures), timestamps: [] }]);
}

const placesOf = (readers: readonly Reader[]): string => readers.slice(0, 2).map(placeOf).join(" or ") + (readers.length > 2 ? ", ..." : "");
