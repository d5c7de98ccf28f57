/** A shared secret that travels with each request: it proves who sends, and nothing about the body. */
import { header, placeOf, type Delivery, type Reader } from "../core/delivery.ts";
import type { Rejection, Secrets } from "../core/reasons.ts";
import { failed, ok, type Result } from "../core/result.ts";
import { fromBase64, toBase64, utf8 } from "./bytes.ts";
import { isSameText } from "./compare.ts";
import { newKeyText, splitSecret } from "./key.ts";
import { put } from "./put.ts";
import type { Match, NewKeys, Outgoing, Signed, SigningKeys } from "./request.ts";

export interface TokenScheme {
  readonly kind: "token";
  readonly at: Reader;
  /** Before the token: `Bearer `, or nothing. Its letters may be of either case (RFC 9110, 11.1). */
  readonly prefix: string;
}

/** HTTP Basic, RFC 7617. The secret is `user:password`. */
export interface BasicScheme {
  readonly kind: "basic";
}

export async function verifyToken(scheme: TokenScheme | BasicScheme, delivery: Delivery, secrets: Secrets): Promise<Result<Match, Rejection>> {
  const configured = (["current", "next"] as const).flatMap((slot) => {
    const secret = secrets[slot];
    return secret === null ? [] : [{ slot, secret }];
  });
  const usable = configured.filter(({ secret }) => isUsable(scheme, secret));
  const [first] = configured;
  if (first === undefined) return failed({ reason: "secret_missing" });
  if (usable.length === 0) return failed({ reason: "secret_malformed", secret: first.slot, expected: shapeOf(scheme) });
  const at = scheme.kind === "basic" ? header("authorization") : scheme.at;
  const place = placeOf(at);
  const text = delivery.read(at);
  if (text === null || text.trim() === "") return failed({ reason: "signature_missing", place });
  const token = scheme.kind === "basic" ? basicToken(text) : tokenAfter(scheme.prefix, text);
  if (token === null || token === "") return failed({ reason: "signature_malformed", place, expected: shapeOf(scheme) });
  for (const { slot, secret } of usable) if (await isSameText(secret, token)) return ok({ matched: slot });
  return failed({ reason: "signature_mismatch", secretsTried: usable.length, signaturesTried: 1, bodyBytes: delivery.body.length });
}

export function signToken(scheme: TokenScheme | BasicScheme, outgoing: Outgoing, { secret }: SigningKeys): Signed {
  if (!isUsable(scheme, secret)) throw new TypeError(`the secret cannot be a key: expected ${shapeOf(scheme)}`);
  return scheme.kind === "basic"
    ? put(outgoing, header("authorization"), `Basic ${toBase64(utf8(secret))}`)
    : put(outgoing, scheme.at, `${scheme.prefix}${secret}`);
}

export function newTokenKeys(scheme: TokenScheme | BasicScheme): NewKeys {
  const text = newKeyText("utf8");
  return { secret: scheme.kind === "basic" ? `webhooks:${text}` : text, privateKey: null, served: null };
}

/** A name without a password, like an empty token, is no secret: anybody can guess it. */
function isUsable({ kind }: TokenScheme | BasicScheme, secret: string): boolean {
  return kind === "basic" ? (splitSecret(secret)?.key ?? "") !== "" : secret.trim() !== "";
}

function shapeOf(scheme: TokenScheme | BasicScheme): string {
  return scheme.kind === "basic" ? "user:password" : `${scheme.prefix}<token>`;
}

/** What follows the prefix, whose letters may be of either case; null: it is not there. */
export function tokenAfter(prefix: string, text: string): string | null {
  return text.slice(0, prefix.length).toLowerCase() === prefix.toLowerCase() ? text.slice(prefix.length).trim() : null;
}

function basicToken(text: string): string | null {
  const token = tokenAfter("Basic ", text);
  const bytes = token === null ? null : fromBase64(token);
  return bytes === null ? null : new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
}
