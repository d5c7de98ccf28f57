/** A configured secret to a key's bytes. Total: a secret that cannot be a key is null, and the caller fails closed. */
import { fromBase64, fromHex, padded, utf8 } from "./bytes.ts";

/** How a provider's secret becomes the key. `whsec` is base64 after the prefix for Standard Webhooks; for Stripe the same prefix is part of a utf8 key. */
export type KeyForm = "utf8" | "hex" | "base64" | "whsec";

/** Web Crypto's CryptoKey, spelled so that it means the same under the Worker's types and under Node's (the CLI signs too). */
export type MacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** For the operator: what the secret should look like. */
export const KEY_SHAPES: Readonly<Record<KeyForm, string>> = {
  utf8: "a text",
  hex: "hexadecimal digits",
  base64: "base64",
  whsec: "whsec_ and base64",
};

/** Never empty: Web Crypto throws on an empty key, and a signature under one proves nothing. */
export function keyBytes(form: KeyForm, secret: string): Uint8Array | null {
  const bytes = decoded(form, secret);
  return bytes === null || bytes.length === 0 ? null : bytes;
}

function decoded(form: KeyForm, secret: string): Uint8Array | null {
  switch (form) {
    case "utf8":
      return utf8(secret);
    case "hex":
      return fromHex(secret);
    case "base64":
      return fromBase64(padded(secret));
    case "whsec":
      // Dashboards show it as `whsec_...`, Supabase as `v1,whsec_...`, some libraries print the bare base64.
      return fromBase64(padded(secret.replace(/^(?:v1,)?(?:whsec_)?/, "")));
  }
}
