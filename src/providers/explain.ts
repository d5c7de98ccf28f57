/** Pure. A refused signature in one sentence that a newcomer can act on. It holds no secret, no signature and nothing of the payload. */
import type { Rejection } from "../core/reasons.ts";
import type { Provider } from "./provider.ts";

/** `secretVariable` is the name of the variable, `STRIPE_WEBHOOK_SECRET`. */
export function explain(rejection: Rejection, provider: Pick<Provider, "name" | "hint">, secretVariable: string): string {
  const hint = provider.hint.replaceAll("{secret}", secretVariable);
  switch (rejection.reason) {
    case "secret_missing":
      return `no secret is configured: set ${secretVariable}`;
    case "secret_malformed":
      return `${rejection.secret === "next" ? `${secretVariable}_NEXT` : secretVariable} cannot be a key, ${rejection.expected} is expected; ${hint}`;
    case "signature_missing":
      return `there is no ${rejection.header} header: the sender is not ${provider.name}, or does not sign; ${hint}`;
    case "signature_malformed":
      return `no signature in ${rejection.header} has the form ${rejection.expected}: the sender is not ${provider.name}, or uses another version`;
    case "signed_header_missing":
      return `the signature covers the header ${rejection.header}, which is missing: a proxy may drop it`;
    case "timestamp_missing":
      return `there is no timestamp in ${rejection.header}, which the signature covers: a proxy may drop it`;
    case "timestamp_malformed":
      return `the timestamp in ${rejection.header} is not one number of ${rejection.expected}`;
    case "timestamp_too_old":
      return `genuine, but sent ${seconds(rejection.nowMs - rejection.sentAtMs)} ago, ${seconds(rejection.toleranceMs)} are allowed: a late retry that keeps its old signature, or a replayed request`;
    case "timestamp_in_future":
      return `genuine, but dated ${seconds(rejection.sentAtMs - rejection.nowMs)} ahead, ${seconds(rejection.toleranceMs)} are allowed: the sender's clock is wrong, or it counts in another unit`;
    case "signature_mismatch":
      return `no match: ${count(rejection.secretsTried, "secret")} tried on ${count(rejection.signaturesTried, "signature")}, body ${grouped(rejection.bodyBytes)} bytes; ${hint}`;
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
