/** RSASSA-PKCS1-v1_5, RFC 8017, 8.2. The key is configured, or a certificate that the request names at an allow-listed host. */
import { placeOf, type Delivery, type Reader } from "../core/delivery.ts";
import type { Rejection, Secrets } from "../core/reasons.ts";
import type { Result } from "../core/result.ts";
import { COSTLY_SIGNATURES_LIMIT, type Algorithm } from "./algorithm.ts";
import { newKeyText, type WebKey } from "./key.ts";
import { KnownKeys } from "./known-keys.ts";
import { importPrivateKey, importPublicKey, newPair, type NewPair } from "./pem.ts";
import { viewOf } from "./put.ts";
import type { Circumstances, Match, NewKeys, Outgoing, Signed, SigningKeys } from "./request.ts";
import { signSigned } from "./sign-message.ts";
import { verifySigned, type SignedMessage } from "./signed-message.ts";

export interface RsaScheme extends SignedMessage {
  readonly kind: "rsa";
  /** Or by a value of the request (the SignatureVersion of SNS). */
  readonly hash: RsaHash | { readonly by: Reader; readonly of: Readonly<Record<string, RsaHash>> };
  /** `secret`: the secret is the public key in PEM. Else a certificate, by its URL in the request. */
  readonly key: "secret" | { readonly certificate: Reader; readonly allow: AllowedUrl };
}

export type RsaHash = "SHA-1" | "SHA-256";

/** Whole-string regular expressions, as text since a preset is data. Only https, never a port, credentials or a redirect. */
export interface AllowedUrl {
  /** `{part}` in it stands for what `part` finds in the source's secret. */
  readonly host: string;
  readonly path: string;
  /**
   * Where the secret says which of the provider's hosts it is (the region in a topic's ARN): the secret's own whole-string regular expression, whose group
   * is that part; a secret that does not look so is none. `example`: its beginning, for development and tests.
   */
  readonly part?: { readonly of: string; readonly shape: string; readonly example: string };
  /** Whether a query may follow; none where absent. */
  readonly query?: true;
}

export function isAllowedUrl(text: string, allow: AllowedUrl, secret: string): boolean {
  const host = hostPattern(allow, secret);
  if (host === null || text.length > URL_LIMIT_CHARACTERS || !URL.canParse(text)) return false;
  const url = new URL(text);
  return (
    url.protocol === "https:" &&
    url.port === "" &&
    url.username === "" &&
    url.password === "" &&
    (url.search === "" || allow.query === true) &&
    url.hash === "" &&
    new RegExp(`^(?:${host})$`).test(url.hostname) &&
    new RegExp(`^(?:${allow.path})$`).test(url.pathname) &&
    // What the allow-list saw is what is fetched: no escapes or dots that a parser resolves.
    url.href === text
  );
}

const URL_LIMIT_CHARACTERS = 1_024;

/** null: the secret does not say which host. */
function hostPattern({ host, part }: AllowedUrl, secret: string): string | null {
  if (part === undefined) return host;
  const found = new RegExp(`^(?:${part.of})$`).exec(secret)?.[1];
  return found === undefined ? null : host.replaceAll("{part}", () => found.replaceAll(/[^A-Za-z0-9-]/g, "\\$&"));
}

const known = new KnownKeys<RsaScheme, WebKey | null>();

/** A key, or that the request names the certificate; where the secret says on which host, on that secret's. */
type RsaKey = WebKey | { readonly namedFor: string };

const isNamed = (key: RsaKey): key is { readonly namedFor: string } => "namedFor" in key;

const ALGORITHM: Algorithm<RsaScheme, RsaKey> = {
  signatureBytes: () => null,
  secretShape: ({ key }) => (key === "secret" ? "an RSA public key in PEM" : (key.allow.part?.shape ?? "a text")),
  signaturesLimit: COSTLY_SIGNATURES_LIMIT,
  keyOf(scheme, secret, view) {
    if (scheme.key !== "secret") return secret === "" || hostPattern(scheme.key.allow, secret) === null ? null : { namedFor: secret };
    const params = paramsOf(hashOf(scheme, view));
    return known.of(scheme, `${params.hash} ${secret}`, () => importPublicKey(secret, params));
  },
  refusesKey({ key }, view, usable) {
    if (key === "secret") return null;
    const url = view.read(key.certificate) ?? "";
    return usable.some(({ secret }) => isAllowedUrl(url, key.allow, secret)) ? null : { reason: "key_not_allowed", place: placeOf(key.certificate) };
  },
  async isAny({ scheme, key, message, signatures, view, circumstances }) {
    const hash = hashOf(scheme, view);
    if (hash === null) return false;
    if (scheme.key === "secret" || !isNamed(key)) return !isNamed(key) && isAny(key, message, signatures);
    const url = view.read(scheme.key.certificate) ?? "";
    if (!isAllowedUrl(url, scheme.key.allow, key.namedFor)) return false;
    const document = await circumstances.fetchKey({ url, named: true });
    if (!document.ok) return document.failure;
    // By its text, not by its URL: a certificate that was replaced is another key.
    const params = paramsOf(hash);
    const fetched = await known.of(scheme, `${hash} ${document.value}`, () => importPublicKey(document.value, params));
    return fetched === null ? { reason: "key_unknown", host: new URL(url).hostname } : isAny(fetched, message, signatures);
  },
};

const paramsOf = (hash: RsaHash | null) => ({ name: "RSASSA-PKCS1-v1_5", hash: hash ?? "SHA-256" }) as const;

export function verifyRsa(scheme: RsaScheme, delivery: Delivery, secrets: Secrets, circumstances: Circumstances): Promise<Result<Match, Rejection>> {
  return verifySigned(scheme, ALGORITHM, delivery, secrets, circumstances);
}

export async function signRsa(scheme: RsaScheme, outgoing: Outgoing, keys: SigningKeys): Promise<Signed> {
  if (keys.privateKey === null) throw new TypeError("an RSA signature needs the private key");
  const { privateKey } = keys;
  const hash = hashOf(scheme, viewOf(outgoing)) ?? "SHA-256";
  const params = { name: "RSASSA-PKCS1-v1_5", hash } as const;
  const key = await importPrivateKey(privateKey, params);
  return signSigned(scheme, outgoing, keys, async (message) => new Uint8Array(await crypto.subtle.sign(params, key, message)));
}

export async function newRsaKeys(scheme: RsaScheme): Promise<NewKeys> {
  const { publicKey, privateKey } = await newRsaPair();
  if (scheme.key === "secret") return { secret: publicKey, privateKey, served: null };
  return { secret: `${scheme.key.allow.part?.example ?? ""}${newKeyText("utf8")}`, privateKey, served: publicKey };
}

export function newRsaPair(): Promise<NewPair> {
  return newPair({ name: "RSASSA-PKCS1-v1_5", modulusLength: 2_048, publicExponent: new Uint8Array([1, 0, 1]), hash: "SHA-256" });
}

/** null: the request names none of the known ones. */
function hashOf({ hash }: RsaScheme, view: Delivery): RsaHash | null {
  if (typeof hash === "string") return hash;
  const name = view.read(hash.by) ?? "";
  return Object.hasOwn(hash.of, name) ? (hash.of[name] ?? null) : null;
}

async function isAny(key: WebKey, message: Uint8Array, signatures: readonly Uint8Array[]): Promise<boolean> {
  for (const signature of signatures) if (await crypto.subtle.verify("RSASSA-PKCS1-v1_5", key, signature, message)) return true;
  return false;
}
