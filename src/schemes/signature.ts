/** How signatures stand in a text: read and write as a pair. Total: what does not parse is left out, unknown versions are skipped. */
import type { Reader } from "../core/delivery.ts";
import { fromBase64, fromBase64Url, fromHex, toBase64, toBase64Url, toHex } from "./bytes.ts";

/** `HEX` is written in upper case (Authorize.Net); read in either. `base64url` has no padding. */
export type Encoding = "hex" | "HEX" | "base64" | "base64url";

export type SignatureForm =
  /** `sha256=<signature>`. Duplicate headers arrive joined by commas, and Mollie sends two on purpose: each is a candidate. */
  | { readonly form: "plain"; readonly prefix: string }
  /** `t=<timestamp>,v1=<signature>,v1=<signature>`. White space around pairs is dropped (WorkOS sends it). */
  | {
      readonly form: "pairs";
      /** Between pairs; "," where absent. */
      readonly separator?: "," | ";" | "&";
      /** Between key and value; "=" where absent. */
      readonly assign?: "=" | "|";
      /** null: whatever the key is (Braintree's is the public key). */
      readonly signatureKey: string | null;
      readonly timestampKey: string | null;
      /** Several whole lists, each with its own time, one for each secret in rotation (Persona). */
      readonly groups?: " ";
    }
  /** `v1,<signature> v1,<signature>` */
  | { readonly form: "tagged"; readonly tag: string }
  /** `<timestamp>,<signature>,<signature>` */
  | { readonly form: "positional" };

export type SignatureFormat = SignatureForm & {
  /** Where: each that is there gives candidates (Box has two headers, DocuSign numbered ones). */
  readonly at: readonly Reader[];
  readonly encoding: Encoding;
};

/** Signatures that belong to one time. */
export interface Candidates {
  readonly signatures: readonly Uint8Array[];
  /** All timestamps beside them, as sent. */
  readonly timestamps: readonly string[];
}

/** What in these texts could be a signature of this many bytes (null: of any length), the first of them up to the limit. */
export function readSignatures(
  format: SignatureFormat,
  texts: readonly string[],
  signatureBytes: number | null,
  limit: number,
): readonly Candidates[] {
  const decode = DECODERS[format.encoding];
  const found: Candidates[] = [];
  let room = limit;
  for (const text of texts) {
    for (const group of groupsOf(format, text)) {
      const signatures: Uint8Array[] = [];
      for (const candidate of signatureTexts(format, group)) {
        if (room === 0) break;
        const bytes = candidate === "" ? null : decode(candidate);
        if (bytes === null || bytes.length === 0 || (signatureBytes !== null && bytes.length !== signatureBytes)) continue;
        signatures.push(bytes);
        room--;
      }
      if (signatures.length > 0) found.push({ signatures, timestamps: timestampTexts(format, group) });
    }
  }
  return found;
}

/** `key`: what stands before the signature where the format leaves that open. */
export function writeSignature(format: SignatureFormat, signature: Uint8Array, timestamp: string, key = "key"): string {
  return written(format, encode(format.encoding, signature), timestamp, key);
}

export function encode(encoding: Encoding, bytes: Uint8Array): string {
  return ENCODERS[encoding](bytes);
}

/** For the operator: what the text should look like. */
export function shapeOf(format: SignatureFormat, signatureBytes: number | null): string {
  const isHex = format.encoding === "hex" || format.encoding === "HEX";
  const length = signatureBytes === null ? "" : isHex ? `${2 * signatureBytes} ` : `of ${signatureBytes} bytes`;
  return written(format, isHex ? `<${length}hex digits>` : `<${`${format.encoding} ${length}`.trim()}>`, "<time>", "<key>");
}

const DECODERS = { hex: fromHex, HEX: fromHex, base64: fromBase64, base64url: fromBase64Url } as const;
const ENCODERS: Readonly<Record<Encoding, (bytes: Uint8Array) => string>> = {
  hex: toHex,
  HEX: (bytes) => toHex(bytes).toUpperCase(),
  base64: toBase64,
  base64url: toBase64Url,
};

function written(format: SignatureFormat, signature: string, timestamp: string, key: string): string {
  switch (format.form) {
    case "plain":
      return `${format.prefix}${signature}`;
    case "pairs": {
      const { separator = ",", assign = "=", signatureKey, timestampKey } = format;
      const time = timestampKey === null ? "" : `${timestampKey}${assign}${timestamp}${separator}`;
      return `${time}${signatureKey ?? key}${assign}${signature}`;
    }
    case "tagged":
      return `${format.tag},${signature}`;
    case "positional":
      return `${timestamp},${signature}`;
  }
}

function groupsOf(format: SignatureFormat, text: string): readonly string[] {
  return format.form === "pairs" && format.groups !== undefined ? text.trim().split(/ +/) : [text];
}

function signatureTexts(format: SignatureFormat, text: string): readonly string[] {
  switch (format.form) {
    case "plain":
      return text.split(",").flatMap((item) => after(format.prefix, item.trim()));
    case "pairs":
      return valuesOf(format, text, format.signatureKey);
    case "tagged":
      // Duplicate headers arrive joined by ", ": the comma then ends an item.
      return text.split(/[ \t]+/).flatMap((item) => after(`${format.tag},`, item.replace(/,$/, "")));
    case "positional":
      return text
        .split(",")
        .slice(1)
        .map((item) => item.trim());
  }
}

function timestampTexts(format: SignatureFormat, text: string): readonly string[] {
  if (format.form === "positional") return [(text.split(",")[0] ?? "").trim()];
  return format.form === "pairs" && format.timestampKey !== null ? valuesOf(format, text, format.timestampKey) : [];
}

function valuesOf(format: SignatureFormat & { readonly form: "pairs" }, text: string, key: string | null): readonly string[] {
  const { separator = ",", assign = "=" } = format;
  return text.split(separator).flatMap((pair) => {
    const at = pair.indexOf(assign);
    return at >= 0 && (key === null || pair.slice(0, at).trim() === key) ? [pair.slice(at + 1).trim()] : [];
  });
}

function after(prefix: string, text: string): readonly string[] {
  return text.startsWith(prefix) ? [text.slice(prefix.length)] : [];
}
