/** How signatures are made, as data, and the functions over it: `verify` for the receiver, `sign` and `newKeys` for tests and `npm run send`. */
import type { Delivery, Reader } from "../core/delivery.ts";
import type { Rejection, Secrets } from "../core/reasons.ts";
import { failed, type Result } from "../core/result.ts";
import { newEcdsaKeys, signEcdsa, verifyEcdsa, type EcdsaScheme } from "./ecdsa.ts";
import { newEd25519Keys, signEd25519, verifyEd25519, type Ed25519Scheme } from "./ed25519.ts";
import { newHashKeys, signHash, verifyHash, type HashScheme } from "./hash.ts";
import { newHmacKeys, signHmac, verifyHmac, type HmacScheme } from "./hmac.ts";
import { newJwtKeys } from "./jwt-keys.ts";
import { signJwt, verifyJwt, type JwtScheme } from "./jwt.ts";
import type { Circumstances, Match, NewKeys, Outgoing, Signed, SigningKeys } from "./request.ts";
import { newRsaKeys, signRsa, verifyRsa, type RsaScheme } from "./rsa.ts";
import type { SignedMessage } from "./signed-message.ts";
import { newTokenKeys, signToken, verifyToken, type BasicScheme, type TokenScheme } from "./token.ts";
import { tooLargeUnverified } from "./unverified.ts";

export type { Circumstances, FetchKey, KeyRequest, Match, NewKeys, Outgoing, Secrets, Signed, SigningKeys } from "./request.ts";

/** One member per family of signatures; a preset picks one and fills it in. */
export type Scheme = HmacScheme | HashScheme | Ed25519Scheme | EcdsaScheme | RsaScheme | JwtScheme | TokenScheme | BasicScheme;

/** Whether the request is authentic and fresh. Never throws on anything a sender can write; without a usable secret it fails closed. */
export function verify(scheme: Scheme, delivery: Delivery, secrets: Secrets, circumstances: Circumstances): Promise<Result<Match, Rejection>> {
  const tooLarge = tooLargeUnverified(scheme, delivery);
  if (tooLarge !== null) return Promise.resolve(failed(tooLarge));
  switch (scheme.kind) {
    case "hmac":
      return verifyHmac(scheme, delivery, secrets, circumstances);
    case "hash":
      return verifyHash(scheme, delivery, secrets, circumstances);
    case "ed25519":
      return verifyEd25519(scheme, delivery, secrets, circumstances);
    case "ecdsa":
      return verifyEcdsa(scheme, delivery, secrets, circumstances);
    case "rsa":
      return verifyRsa(scheme, delivery, secrets, circumstances);
    case "jwt":
      return verifyJwt(scheme, delivery, secrets, circumstances);
    case "token":
    case "basic":
      return verifyToken(scheme, delivery, secrets);
  }
}

/** The request as its sender would make it. Throws TypeError on keys that cannot sign. */
export async function sign(scheme: Scheme, outgoing: Outgoing, keys: SigningKeys): Promise<Signed> {
  switch (scheme.kind) {
    case "hmac":
      return signHmac(scheme, outgoing, keys);
    case "hash":
      return signHash(scheme, outgoing, keys);
    case "ed25519":
      return signEd25519(scheme, outgoing, keys);
    case "ecdsa":
      return signEcdsa(scheme, outgoing, keys);
    case "rsa":
      return signRsa(scheme, outgoing, keys);
    case "jwt":
      return signJwt(scheme, outgoing, keys);
    case "token":
    case "basic":
      return signToken(scheme, outgoing, keys);
  }
}

/** Keys of the scheme's form, for development and tests. */
export async function newKeys(scheme: Scheme): Promise<NewKeys> {
  switch (scheme.kind) {
    case "hmac":
      return newHmacKeys(scheme);
    case "hash":
      return newHashKeys();
    case "ed25519":
      return newEd25519Keys(scheme);
    case "ecdsa":
      return newEcdsaKeys();
    case "rsa":
      return newRsaKeys(scheme);
    case "jwt":
      return newJwtKeys(scheme);
    case "token":
    case "basic":
      return newTokenKeys(scheme);
  }
}

/** The rules of a scheme that signs a message; null: its proof is a token. */
export function messageOf(scheme: Scheme): SignedMessage | null {
  return "message" in scheme ? scheme : null;
}

/** The headers that authenticate: never kept, never logged. Names in lower case. */
export function secretHeaders(scheme: Scheme): readonly string[] {
  const readers: readonly Reader[] =
    scheme.kind === "basic" ? [{ header: "authorization" }] : "signature" in scheme ? scheme.signature.at : [scheme.at];
  return readers.flatMap((reader) => ("header" in reader ? [reader.header] : []));
}
