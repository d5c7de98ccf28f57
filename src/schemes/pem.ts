/** Public keys as operators paste them: PEM with real or written-out line ends, bare base64 of the DER, or a certificate. Total: else null. */
import { importX509 } from "jose";
import { fromBase64, toBase64 } from "./bytes.ts";
import type { WebKey } from "./key.ts";

export type PublicKeyParams = Parameters<typeof crypto.subtle.importKey>[2];

export async function importPublicKey(text: string, params: PublicKeyParams): Promise<WebKey | null> {
  try {
    const der = text.includes("BEGIN CERTIFICATE") ? await certificateKey(text) : fromBase64(bare(text, "PUBLIC KEY"));
    return der === null || der.length === 0 ? null : await crypto.subtle.importKey("spki", der, params, false, ["verify"]);
  } catch {
    return null;
  }
}

/** PKCS #8. Throws on what is none: only senders use it. */
export async function importPrivateKey(text: string, params: PublicKeyParams): Promise<WebKey> {
  const der = fromBase64(bare(text, "PRIVATE KEY"));
  if (der === null || der.length === 0) throw new TypeError("the private key is not PKCS #8 in PEM");
  return crypto.subtle.importKey("pkcs8", der, params, false, ["sign"]);
}

export interface NewPair {
  /** PEM. */
  readonly publicKey: string;
  readonly privateKey: string;
  /** The public key's DER. */
  readonly spki: Uint8Array;
}

/** For development and tests. */
export async function newPair<Params extends Parameters<typeof crypto.subtle.generateKey>[0]>(params: Params): Promise<NewPair> {
  const pair = (await crypto.subtle.generateKey(params, true, ["sign", "verify"])) as { readonly publicKey: WebKey; readonly privateKey: WebKey };
  const spki = new Uint8Array((await crypto.subtle.exportKey("spki", pair.publicKey)) as ArrayBuffer);
  const pkcs8 = new Uint8Array((await crypto.subtle.exportKey("pkcs8", pair.privateKey)) as ArrayBuffer);
  return { publicKey: toPem("PUBLIC KEY", spki), privateKey: toPem("PRIVATE KEY", pkcs8), spki };
}

function toPem(label: "PUBLIC KEY" | "PRIVATE KEY", der: Uint8Array): string {
  return `-----BEGIN ${label}-----\n${toBase64(der)}\n-----END ${label}-----`;
}

function bare(text: string, label: string): string {
  return text.replaceAll("\\n", "\n").replace(`-----BEGIN ${label}-----`, "").replace(`-----END ${label}-----`, "").replaceAll(/\s+/g, "");
}

/** The key of the first certificate, as SPKI. Who vouches for it is the caller's business: we take certificates only from allow-listed hosts over TLS. */
async function certificateKey(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const key = await importX509(text.replaceAll("\\n", "\n"), "RS256", { extractable: true });
  return new Uint8Array((await crypto.subtle.exportKey("spki", key)) as ArrayBuffer);
}
