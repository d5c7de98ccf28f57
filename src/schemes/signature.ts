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

/** Empty ones among them. A text with one signature, which is nearly every text, is not taken apart. */
function signatureTexts(format: SignatureFormat, text: string): readonly string[] {
  switch (format.form) {
    case "plain":
      return text.includes(",") ? text.split(",").map((item) => after(format.prefix, item.trim())) : [after(format.prefix, text.trim())];
    case "pairs":
      return valuesOf(format, text, format.signatureKey);
    case "tagged":
      // Duplicate headers arrive joined by ", ": the comma then ends an item.
      return /[ \t]/.test(text) ? text.split(/[ \t]+/).map((item) => tagged(format.tag, item)) : [tagged(format.tag, text)];
    case "positional":
      return text
        .split(",")
        .slice(1)
        .map((item) => item.trim());
  }
}

function timestampTexts(format: SignatureFormat, text: string): readonly string[] {
  if (format.form === "positional") return [(text.split(",")[0] ?? "").trim()];
  return format.form === "pairs" && format.timestampKey !== null ? valuesOf(format, text, format.timestampKey) : NONE;
}

const NONE: readonly string[] = [];

/** In one pass from pair to pair. */
function valuesOf(format: SignatureFormat & { readonly form: "pairs" }, text: string, key: string | null): readonly string[] {
  const { separator = ",", assign = "=" } = format;
  const values: string[] = [];
  let start = 0;
  for (let at = text.indexOf(assign); at >= 0; at = text.indexOf(assign, start)) {
    // What comes before it without an assignment is no pair.
    start = Math.max(start, text.lastIndexOf(separator, at) + 1);
    const next = text.indexOf(separator, at);
    const end = next < 0 ? text.length : next;
    if (key === null || text.slice(start, at).trim() === key) values.push(text.slice(at + 1, end).trim());
    start = end + 1;
  }
  return values;
}

const tagged = (tag: string, item: string): string => {
  const value = item.endsWith(",") ? item.slice(0, -1) : item;
  return value.startsWith(tag) && value[tag.length] === "," ? value.slice(tag.length + 1) : "";
};

/** What follows the prefix; nothing, where it is not there. */
const after = (prefix: string, text: string): string => (text.startsWith(prefix) ? text.slice(prefix.length) : "");
