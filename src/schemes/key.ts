/** A configured secret to a key's bytes. Total: a secret that cannot be a key is null, and the caller fails closed. */
import { fromBase64, fromBase64Url, fromHex, padded, toBase64, toBase64Url, toHex, utf8 } from "./bytes.ts";

/** How a provider's secret becomes the key. `whsec` is base64 after the prefix for Standard Webhooks; for Stripe the same prefix is part of a utf8 key. */
export type KeyForm = "utf8" | "hex" | "base64" | "base64url" | "whsec" | "sha1" | "sha1_after_colon" | "nfkd" | "after_colon";

/** Web Crypto's CryptoKey, spelled so that it means the same under the Worker's types and under Node's (the CLI signs too). */
export type WebKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** For the operator: what the secret should look like. */
export const KEY_SHAPES: Readonly<Record<KeyForm, string>> = {
  utf8: "a text",
  hex: "hexadecimal digits",
  base64: "base64",
  base64url: "base64url",
  whsec: "whsec_ and base64",
  sha1: "a text",
  sha1_after_colon: "a text with a colon",
  nfkd: "a text",
  after_colon: "a text with a colon",
};

/** Never empty: Web Crypto throws on an empty key, and a signature under one proves nothing. */
export async function keyBytes(form: KeyForm, secret: string): Promise<Uint8Array | null> {
  if (secret === "") return null;
  const bytes = await decoded(form, secret);
  return bytes === null || bytes.length === 0 ? null : bytes;
}

/** A secret `id:key`, at its first colon; null: it has none. */
export function splitSecret(secret: string): { readonly id: string; readonly key: string } | null {
  const colon = secret.indexOf(":");
  return colon < 0 ? null : { id: secret.slice(0, colon), key: secret.slice(colon + 1) };
}

/** A new secret of this form, for development and tests. */
export function newKeyText(form: KeyForm): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  const hex = toHex(bytes);
  switch (form) {
    case "utf8":
    case "hex":
    case "sha1":
    case "nfkd":
      return hex;
    case "base64":
      return toBase64(bytes);
    case "base64url":
      return toBase64Url(bytes);
    case "whsec":
      return `whsec_${toBase64(bytes)}`;
    case "after_colon":
    case "sha1_after_colon":
      return `key.${hex.slice(0, 8)}:${hex}`;
  }
}

async function decoded(form: KeyForm, secret: string): Promise<Uint8Array | null> {
  switch (form) {
    case "utf8":
      return utf8(secret);
    case "hex":
      return fromHex(secret);
    case "base64":
      return fromBase64(padded(secret));
    case "base64url":
      return fromBase64Url(secret.replace(/=+$/, ""));
    case "whsec":
      // Dashboards show it as `whsec_...`, Supabase as `v1,whsec_...`, some libraries print the bare base64.
      return fromBase64(padded(secret.replace(/^(?:v1,)?(?:whsec_)?/, "")));
    case "sha1":
      // The key is the digest of the text.
      return new Uint8Array(await crypto.subtle.digest("SHA-1", utf8(secret)));
    case "nfkd":
      return utf8(secret.normalize("NFKD"));
    case "sha1_after_colon": {
      // `public:private`: the key is the digest of the private half, and the public one names it (Braintree).
      const half = splitSecret(secret)?.key ?? "";
      return half === "" ? null : new Uint8Array(await crypto.subtle.digest("SHA-1", utf8(half)));
    }
    case "after_colon":
      // `id:secret`: only what follows the colon is the key (Ably).
      return utf8(splitSecret(secret)?.key ?? "");
  }
}
