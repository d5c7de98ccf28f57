/** What refuses a delivery whose signature is right: its time, its topic, a digest of another body. */
import { placeOf, type Delivery } from "../core/delivery.ts";
import type { Rejection } from "../core/reasons.ts";
import { ok, type Result } from "../core/result.ts";
import type { Soon } from "./algorithm.ts";
import { isSameText } from "./compare.ts";
import { sha256Hex } from "./digest.ts";
import type { Circumstances } from "./request.ts";
import type { SignedMessage } from "./signed-message.ts";
import { uses } from "./template.ts";
import { outsideWindow, readTime, timePlace } from "./timestamp.ts";

interface Time {
  readonly text: string;
  readonly sentAtMs: number | null;
}

const NO_TIME = ok<Time>({ text: "", sentAtMs: null });

/** The time, where the message cannot be made without it; else it is read after the signature, from what is then known to be the provider's (Linear). */
export function timeBefore(rules: SignedMessage, timestamps: readonly string[], view: Delivery): Result<Time, Rejection> {
  return isTimeAfter(rules) ? NO_TIME : readRuledTime(rules, timestamps, view);
}

function readRuledTime({ timestamp, signature }: SignedMessage, beside: readonly string[], view: Delivery): Result<Time, Rejection> {
  if (timestamp === null) return NO_TIME;
  const texts = timestamp.at === "signature" ? beside : [view.read(timestamp.at) ?? ""];
  return readTime(timestamp, texts, timePlace(timestamp, signature.at));
}

/** Whether the signed time stands in the body, and is no part of the message by itself. */
export function isTimeAfter({ timestamp, message, alternatives }: SignedMessage): boolean {
  if (timestamp === null || timestamp.at === "signature" || !("json" in timestamp.at || "form" in timestamp.at)) return false;
  return !uses(message, "timestamp") && alternatives?.some((parts) => uses(parts, "timestamp")) !== true;
}

/** After the signature, never before: only then does "too old" mean "genuine, but late", which an operator treats unlike a forgery. */
export function refusal(
  rules: SignedMessage,
  secret: string,
  sentAtMs: number | null,
  view: Delivery,
  circumstances: Circumstances,
): Soon<Rejection | null> {
  const { bodyDigest, pinned, singleLine, oneOf, forms } = rules;
  const isPlain = bodyDigest === undefined && pinned === undefined && singleLine === undefined && oneOf === undefined && forms === undefined;
  if (isPlain) return lateness(rules, sentAtMs, view, circumstances);
  return misdirected(rules, secret, view).then((reason) => reason ?? lateness(rules, sentAtMs, view, circumstances));
}

function lateness(rules: SignedMessage, sentAtMs: number | null, view: Delivery, { nowMs, toleranceMs }: Circumstances): Rejection | null {
  if (sentAtMs !== null) return outsideWindow(sentAtMs, nowMs, toleranceMs);
  if (!isTimeAfter(rules)) return null;
  const time = readRuledTime(rules, [], view);
  return time.ok ? outsideWindow(time.value.sentAtMs ?? Number.NaN, nowMs, toleranceMs) : time.failure;
}

/** Whether what is signed is about another body, for somebody else, or not what it seems. */
async function misdirected(
  { bodyDigest, pinned, singleLine, oneOf, forms }: SignedMessage,
  secret: string,
  view: Delivery,
): Promise<Rejection | null> {
  const digest = bodyDigest === undefined ? null : view.read(bodyDigest);
  // A form is signed itself; but where there is a digest it counts, or a captured request could be sent again as an empty form.
  if (bodyDigest !== undefined && (view.form === null || digest !== null) && digest?.toLowerCase() !== (await sha256Hex(view.body)))
    return { reason: "body_digest_mismatch", place: placeOf(bodyDigest) };
  if (pinned !== undefined && !(await isSameText(view.read(pinned) ?? "", secret))) return { reason: "not_for_us", place: placeOf(pinned) };
  const torn = singleLine?.find((reader) => /\p{Cc}/u.test(view.read(reader) ?? ""));
  if (torn !== undefined) return { reason: "not_for_us", place: placeOf(torn) };
  const odd = forms?.find(({ at, pattern }) => !new RegExp(`^(?:${pattern})$`, "u").test(view.read(at) ?? ""));
  if (odd !== undefined) return { reason: "signed_part_malformed", place: placeOf(odd.at), expected: odd.expected };
  return oneOf === undefined || oneOf.texts.includes(view.read(oneOf.at) ?? "") ? null : { reason: "not_for_us", place: placeOf(oneOf.at) };
}
