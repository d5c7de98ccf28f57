/** Pure. A refused signature in one sentence that a newcomer can act on. It holds no secret, no signature and nothing of the payload. */
import type { Rejection } from "../core/reasons.ts";
import type { Provider } from "./provider.ts";

/** `signedUrl`: the URL that was verified against, where the signature covers it. `secretVariable` is the name of the variable, `STRIPE_WEBHOOK_SECRET`. */
export function explain(
  rejection: Rejection,
  provider: Pick<Provider, "title" | "hint">,
  secretVariable: string,
  signedUrl: string | null = null,
): string {
  const hint = provider.hint.replaceAll("{secret}", secretVariable);
  switch (rejection.reason) {
    case "secret_missing":
      return `no secret is configured: set ${secretVariable}`;
    case "secret_malformed":
      return `${rejection.secret === "next" ? `${secretVariable}_NEXT` : secretVariable} cannot be a key, ${rejection.expected} is expected; ${hint}`;
    case "signature_missing":
      return `there is no signature in ${rejection.place}: the sender is not ${provider.title}, or does not sign; ${hint}`;
    case "signature_malformed":
      return `no signature in ${rejection.place} has the form ${rejection.expected}: the sender is not ${provider.title}, or uses another version`;
    case "signed_part_malformed":
      return `the signature is right, but ${rejection.place} is not ${rejection.expected}: the same signature would fit other values`;
    case "unverified_too_large":
      return `what is signed has to be read out of ${rejection.place} first, and of what nobody has verified yet at most ${rejection.limit} are read`;
    case "signed_part_missing":
      return `the signature covers ${rejection.place}, which is missing, or there more than once: a proxy may drop it, or the sender is not ${provider.title}`;
    case "timestamp_missing":
      return `there is no timestamp in ${rejection.place}, which the signature covers: a proxy may drop it`;
    case "timestamp_malformed":
      return `the timestamp in ${rejection.place} is not one time in ${rejection.expected}`;
    case "timestamp_too_old":
      return `genuine, but sent ${seconds(rejection.nowMs - rejection.sentAtMs)} ago, ${seconds(rejection.toleranceMs)} are allowed: a late retry that keeps its old signature, or a replayed request`;
    case "timestamp_in_future":
      return `genuine, but dated ${seconds(rejection.sentAtMs - rejection.nowMs)} ahead, ${seconds(rejection.toleranceMs)} are allowed: the sender's clock is wrong, or it counts in another unit`;
    case "body_digest_mismatch":
      return `the signature is right, but ${rejection.place} has the digest of another body: something between the sender and here changes bodies`;
    case "not_for_us":
      return `the signature is right, but ${rejection.place} names somebody else, or something else: ${hint}`;
    case "key_not_allowed":
      return `${rejection.place} names a key that ${provider.title} does not publish: the request is forged`;
    case "key_unknown":
      return `${rejection.host} does not have the key that the request names: the request is forged, or the key was withdrawn`;
    case "key_budget_spent":
      return `too many requests name new keys of ${rejection.host}, so this one's was not asked for: somebody forges, and ${provider.title} has to try again in a minute`;
    case "key_unavailable":
      return `${rejection.host}, which publishes ${provider.title}'s keys, cannot be reached: nothing can be verified until it answers`;
    case "signature_mismatch":
      return `no match: ${count(rejection.secretsTried, "secret")} tried on ${count(rejection.signaturesTried, "signature")}, body ${grouped(rejection.bodyBytes)} bytes${signedUrl === null ? "" : `, URL ${signedUrl} (from PUBLIC_BASE_URL; it must be the one that ${provider.title} was given)`}; ${hint}`;
  }
}

function seconds(ms: number): string {
  return `${grouped(Math.ceil(ms / 1_000))} s`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function grouped(number: number): string {
  return number.toLocaleString("en-US");
}
