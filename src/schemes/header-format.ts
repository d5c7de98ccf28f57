/** How signatures stand in a header: read and write as a pair. Total: what does not parse is left out, unknown versions are skipped. */
import { fromBase64, fromHex, toBase64, toHex } from "./bytes.ts";

export type Encoding = "hex" | "base64";

export type HeaderFormat =
  /** `sha256=<signature>`. Duplicate headers arrive joined by commas, and Mollie sends two on purpose: each is a candidate. */
  | { readonly form: "plain"; readonly header: string; readonly encoding: Encoding; readonly prefix: string }
  /** `t=<timestamp>,v1=<signature>,v1=<signature>`. White space around pairs is dropped (WorkOS sends it). */
  | {
      readonly form: "pairs";
      readonly header: string;
      readonly encoding: Encoding;
      readonly signatureKey: string;
      readonly timestampKey: string;
    }
  /** `v1,<signature> v1,<signature>` */
  | { readonly form: "tagged"; readonly header: string; readonly encoding: Encoding; readonly tag: string };

/** Providers send one signature per secret in rotation: a handful. */
const SIGNATURES_TRIED_LIMIT = 16;

/** The signatures in a header's text that could be a MAC of this many bytes. */
export function readSignatures(format: HeaderFormat, text: string, macBytes: number): readonly Uint8Array[] {
  const decode = format.encoding === "hex" ? fromHex : fromBase64;
  return texts(format, text)
    .flatMap((candidate) => decode(candidate) ?? [])
    .filter((bytes) => bytes.length === macBytes)
    .slice(0, SIGNATURES_TRIED_LIMIT);
}

/** All timestamps in the header itself, as sent. */
export function readTimestamps(format: HeaderFormat, text: string): readonly string[] {
  return format.form === "pairs" ? valuesOf(text, format.timestampKey) : [];
}

export function writeSignature(format: HeaderFormat, mac: Uint8Array, timestamp: string): string {
  const signature = format.encoding === "hex" ? toHex(mac) : toBase64(mac);
  switch (format.form) {
    case "plain":
      return `${format.prefix}${signature}`;
    case "pairs":
      return `${format.timestampKey}=${timestamp},${format.signatureKey}=${signature}`;
    case "tagged":
      return `${format.tag},${signature}`;
  }
}

/** For the operator: what the header should look like. */
export function shapeOf(format: HeaderFormat, macBytes: number): string {
  const signature = format.encoding === "hex" ? `<${2 * macBytes} hex digits>` : `<base64 of ${macBytes} bytes>`;
  switch (format.form) {
    case "plain":
      return `${format.prefix}${signature}`;
    case "pairs":
      return `${format.timestampKey}=<digits>,${format.signatureKey}=${signature}`;
    case "tagged":
      return `${format.tag},${signature}`;
  }
}

function texts(format: HeaderFormat, text: string): readonly string[] {
  switch (format.form) {
    case "plain":
      return text.split(",").flatMap((item) => after(format.prefix, item.trim()));
    case "pairs":
      return valuesOf(text, format.signatureKey);
    case "tagged":
      // Duplicate headers arrive joined by ", ": the comma then ends an item.
      return text.split(/[ \t]+/).flatMap((item) => after(`${format.tag},`, item.replace(/,$/, "")));
  }
}

function valuesOf(text: string, key: string): readonly string[] {
  return text.split(",").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at >= 0 && pair.slice(0, at).trim() === key ? [pair.slice(at + 1).trim()] : [];
  });
}

function after(prefix: string, text: string): readonly string[] {
  return text.startsWith(prefix) ? [text.slice(prefix.length)] : [];
}
