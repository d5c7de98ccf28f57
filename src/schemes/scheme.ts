/** How signatures are made, as data, and the two functions over it: `verify` for the receiver, `sign` for tests and `npm run send`. */
import type { Rejection } from "../core/reasons.ts";
import type { Result } from "../core/result.ts";
import { signHmac, verifyHmac, type HmacScheme } from "./hmac.ts";
import type { Match, Outgoing, Secrets, SignedRequest } from "./request.ts";

export type { Match, Outgoing, Secrets, SignedRequest } from "./request.ts";

/** One member per family of signatures; a preset picks one and fills it in. */
export type Scheme = HmacScheme;

/** Whether the request is authentic and fresh. Never throws on anything a sender can write; without a usable secret it fails closed. */
export async function verify(
  scheme: Scheme,
  request: SignedRequest,
  secrets: Secrets,
  nowMs: number,
  toleranceMs: number,
): Promise<Result<Match, Rejection>> {
  switch (scheme.kind) {
    case "hmac":
      return verifyHmac(scheme, request, secrets, nowMs, toleranceMs);
  }
}

/** The headers that make a request authentic, names in lower case. Throws TypeError on a secret that cannot be a key. */
export async function sign(scheme: Scheme, outgoing: Outgoing, secret: string): Promise<Record<string, string>> {
  switch (scheme.kind) {
    case "hmac":
      return signHmac(scheme, outgoing, secret);
  }
}

/** Whether the signature covers the body; a body's event id cannot be changed by whoever captured the request. */
export function coversBody(scheme: Scheme): boolean {
  return scheme.message.includes("body");
}

/** Whether the signature covers this header (name in lower case). */
export function coversHeader(scheme: Scheme, name: string): boolean {
  return scheme.message.some((part) => typeof part === "object" && "id" in part && part.id === name);
}

/** The headers that carry signatures: never kept, never logged. */
export function secretHeaders(scheme: Scheme): readonly string[] {
  return [scheme.signature.header];
}
