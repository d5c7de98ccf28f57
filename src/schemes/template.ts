/** What is signed, as a template over a delivery. Reading and writing fail the same way: what is missing is said, nothing is guessed. */
import { type Delivery, header, placeOf, type Reader, targetOf } from "../core/delivery.ts";
import type { Rejection } from "../core/reasons.ts";
import { failed, ok, type Result } from "../core/result.ts";
import type { Soon } from "./algorithm.ts";
import { joined } from "./bytes.ts";
import { sha256Hex } from "./digest.ts";

export type Part =
  /** The body's bytes. */
  | "body"
  /** The timestamp, exactly as sent. */
  | "timestamp"
  | "method"
  /** The URL that the provider was given. */
  | "url"
  /** The same with its port written out, also the default one (Twilio). */
  | "url_with_port"
  /** Path and query of it. */
  | "target"
  /** The source's secret, for plain hashes over it; PayPal's webhook id. */
  | "secret"
  /** A value of the request, exactly as sent, and present. */
  | Reader
  /** The header that carries the event's id. */
  | { readonly id: string }
  /** Nothing where the value is absent (Adyen). */
  | { readonly optional: Reader }
  /** In lower case (Mercado Pago). */
  | { readonly lower: Reader }
  /** These parts, if that value is there. */
  | { readonly when: Reader; readonly parts: readonly Part[] }
  /** Each field's name and each of its distinct values, sorted (Twilio, Mandrill). */
  | "sorted_form"
  /** The lower-case hex SHA-256 of the body. */
  | "body_sha256_hex"
  /** The CRC-32 of the body as a decimal number (PayPal). */
  | "body_crc32"
  /** `name:value` of each header that this header lists, sorted, joined by `;`. These must be among them (Contentful). */
  | { readonly signedHeaders: string; readonly including?: readonly string[] };

export interface Filling {
  readonly delivery: Delivery;
  readonly timestamp: string;
  readonly secret: string;
}

/** The exact bytes that are signed. A message that is only the body is not copied: it may be 10 MiB. */
export function assemble(parts: readonly Part[], filling: Filling): Soon<Result<Uint8Array, Rejection>> {
  if (parts.length === 1 && parts[0] === "body") return ok(filling.delivery.body);
  if (!uses(parts, "body_sha256_hex")) return filled(parts, filling, "");
  return sha256Hex(filling.delivery.body).then((bodySha256Hex) => filled(parts, filling, bodySha256Hex));
}

function filled(parts: readonly Part[], { delivery, timestamp, secret }: Filling, bodySha256Hex: string): Result<Uint8Array, Rejection> {
  const pieces: (string | Uint8Array)[] = [];
  const missing = fillAll(parts, { delivery, timestamp, secret, bodySha256Hex }, pieces);
  return missing === null ? ok(joined(pieces)) : failed(missing);
}

/** Every part, also those inside conditions. */
export function flatten(parts: readonly Part[]): readonly Part[] {
  return parts.flatMap((part) => (typeof part === "object" && "when" in part ? flatten(part.parts) : [part]));
}

/** Whether a part is among them, also inside conditions. */
export function uses(parts: readonly Part[], name: Extract<Part, string>): boolean {
  // No closure: this is asked for each delivery.
  for (const part of parts) if (part === name || (typeof part === "object" && "when" in part && uses(part.parts, name))) return true;
  return false;
}

/** The reader of a part that reads one value; null for the others. */
export function readerOf(part: Part): Reader | null {
  if (typeof part === "string" || "when" in part || "signedHeaders" in part) return null;
  if ("id" in part) return header(part.id);
  if ("optional" in part) return part.optional;
  return "lower" in part ? part.lower : part;
}

interface Filled extends Filling {
  readonly bodySha256Hex: string;
}

/** null: every part is there. */
function fillAll(parts: readonly Part[], filling: Filled, pieces: (string | Uint8Array)[]): Rejection | null {
  for (const part of parts) {
    if (typeof part === "string") pieces.push(ofRequest(part, filling));
    else {
      const missing = fill(part, filling, pieces);
      if (missing !== null) return missing;
    }
  }
  return null;
}

function ofRequest(part: Extract<Part, string>, { delivery, timestamp, secret, bodySha256Hex }: Filled): string | Uint8Array {
  switch (part) {
    case "body":
      return delivery.body;
    case "timestamp":
      return timestamp;
    case "method":
      return delivery.method;
    case "url":
      return delivery.url;
    case "url_with_port":
      return withPort(delivery.url);
    case "target":
      return targetOf(delivery.url);
    case "secret":
      return secret;
    case "sorted_form":
      return sortedForm(delivery.form);
    case "body_sha256_hex":
      return bodySha256Hex;
    case "body_crc32":
      return String(crc32(delivery.body));
  }
}

function fill(part: Exclude<Part, string>, filling: Filled, pieces: (string | Uint8Array)[]): Rejection | null {
  const { delivery } = filling;
  if ("when" in part) return delivery.read(part.when) === null ? null : fillAll(part.parts, filling, pieces);
  if ("signedHeaders" in part) {
    const list = signedHeaders(delivery, part.signedHeaders, part.including ?? []);
    if (list === null) return { reason: "signed_part_missing", place: placeOf(header(part.signedHeaders)) };
    pieces.push(list);
    return null;
  }
  if ("optional" in part) {
    pieces.push(delivery.read(part.optional) ?? "");
    return null;
  }
  const reader = "id" in part ? header(part.id) : "lower" in part ? part.lower : part;
  const text = delivery.read(reader);
  if (text === null || text === "") return { reason: "signed_part_missing", place: placeOf(reader) };
  pieces.push("lower" in part ? text.toLowerCase() : text);
  return null;
}

/** null: a header that is listed is not there, or one that must be listed is not. */
function signedHeaders(delivery: Delivery, list: string, including: readonly string[]): string | null {
  const names = (delivery.headers.get(list) ?? "").split(",").map((name) => name.trim().toLowerCase());
  if (including.some((name) => !names.includes(name))) return null;
  const lines: string[] = [];
  for (const name of names.toSorted()) {
    // Not every text can be a header's name, and `Headers.get` throws on those.
    const value = /^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) ? delivery.headers.get(name) : null;
    if (value === null) return null;
    lines.push(`${name}:${value}`);
  }
  return lines.join(";");
}

/** Not parsed: a URL parser would write some characters otherwise than they were signed. */
function withPort(url: string): string {
  const [, scheme = "", host = "", rest = ""] = /^(https?):\/\/([^/?#]*)(.*)$/s.exec(url) ?? [];
  return scheme === "" || /:\d+$/.test(host) ? url : `${scheme}://${host}:${scheme === "https" ? 443 : 80}${rest}`;
}

/** The fields as they are signed: however a form is encoded, they are the same. In one pass: names are the sender's to choose, and nobody has verified them. */
export function sortedForm(form: URLSearchParams | null): string {
  const values = new Map<string, Set<string>>();
  for (const [name, value] of form ?? []) {
    const before = values.get(name);
    if (before === undefined) values.set(name, new Set([value]));
    else before.add(value);
  }
  let text = "";
  for (const name of [...values.keys()].toSorted()) for (const value of [...(values.get(name) ?? [])].toSorted()) text += name + value;
  return text;
}

/** CRC-32 as in IEEE 802.3, unsigned. By table: nobody has verified the body yet, which may be 10 MiB. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let at = 0; at < bytes.length; at++) crc = (crc >>> 8) ^ (CRC_OF_BYTE[(crc ^ (bytes[at] ?? 0)) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

const CRC_OF_BYTE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xedb88320 & -(crc & 1));
  return crc;
});
