/** Pure (keys aside). Deliveries that must be refused: one thing is wrong with each, and everything else is right. */
import type { Reader } from "../../src/core/delivery.ts";
import { valueAt } from "../../src/core/json-body.ts";
import type { Provider } from "../../src/providers/provider.ts";
import { coversBody, coversUrl } from "../../src/schemes/coverage.ts";
import { put, viewOf } from "../../src/schemes/put.ts";
import { messageOf, newKeys, type Scheme, type Signed, type SigningKeys } from "../../src/schemes/scheme.ts";
import { flatten, readerOf } from "../../src/schemes/template.ts";

export type Variant = "tamper" | "stale" | "future" | "wrong_secret";

const DAY_MS = 86_400_000;
/** The digit 1. */
const ONE = 0x31;

/** A sentence where the provider cannot be wronged so; null: it can. */
export function impossible(variant: Variant, { title, scheme }: Provider): string | null {
  switch (variant) {
    case "wrong_secret":
      return null;
    case "tamper":
      return scheme.kind === "token" || scheme.kind === "basic"
        ? `${title} signs nothing that could be changed: its deliveries carry a fixed secret, and whoever sees one can send any body. --wrong-secret is what is refused.`
        : null;
    case "stale":
    case "future":
      return isBounded(scheme, variant)
        ? null
        : `${title} signs no time${scheme.kind === "jwt" ? " of signing" : ""}, so none of its deliveries is ${variant === "stale" ? "too old" : "from the future"}: only the event's id keeps one from running twice.`;
  }
}

function isBounded(scheme: Scheme, variant: "stale" | "future"): boolean {
  // Our tokens expire; that one is dated ahead only `iat` says.
  if (scheme.kind === "jwt") return variant === "stale" || scheme.time !== null;
  return (messageOf(scheme)?.timestamp ?? null) !== null;
}

/** When it is signed: a day ago or ahead, and further where the source allows days. */
export function signedAtMs(variant: Variant | null, { maxAgeSeconds = 0 }: Pick<Provider, "maxAgeSeconds">, nowMs: number): number {
  const offMs = Math.max(DAY_MS, 2_000 * maxAgeSeconds);
  return variant === "stale" ? nowMs - offMs : variant === "future" ? nowMs + offMs : nowMs;
}

/** Keys that the receiver does not have, of the right form. */
export async function wrongKeys(scheme: Scheme): Promise<SigningKeys> {
  const { secret, privateKey } = await newKeys(scheme);
  return { secret, privateKey };
}

/** One byte of what is signed is another. Throws where nothing is. */
export function tampered(scheme: Scheme, request: Signed): Signed {
  if (coversBody(scheme) && request.body.length > 0) {
    const body = Uint8Array.from(request.body);
    // A digit for a digit: JSON stays JSON, so that the signature alone is what is wrong.
    const digit = body.findLastIndex((byte) => byte >= 0x30 && byte <= 0x39);
    const at = digit < 0 ? body.length - 1 : digit;
    body[at] = body[at] === ONE ? ONE + 1 : ONE;
    return { ...request, body };
  }
  const readers = signedReaders(scheme, request);
  for (const reader of readers) {
    const text = viewOf(request).read(reader);
    if (text !== null && text !== "") return rewritten(request, reader, text);
  }
  if (scheme.kind === "jwt") {
    const text = viewOf(request).read(scheme.at) ?? "";
    const [header = "", payload = "", signature = ""] = text.split(".");
    return put(request, scheme.at, [header, changed(payload), signature].join("."));
  }
  if (coversUrl(scheme)) return { ...request, url: `${request.url}${request.url.includes("?") ? "&" : "?"}x` };
  throw new TypeError("nothing of this request is signed");
}

function signedReaders(scheme: Scheme, request: Signed): readonly Reader[] {
  const rules = messageOf(scheme);
  const readers = flatten(rules?.message ?? [])
    .flatMap((part) => readerOf(part) ?? [])
    .filter((reader) => !("literal" in reader));
  if (rules?.items === undefined) return readers;
  const { items } = rules;
  const list = valueAt(JSON.parse(new TextDecoder().decode(request.body)), items);
  // Each element is signed by itself: the first one's values, or the only one's, without brackets.
  const prefix = Array.isArray(list) ? [...items, "0"] : items;
  return readers.flatMap((reader) => ("json" in reader && reader.within === undefined ? [{ json: [...prefix, ...reader.json] }] : []));
}

function rewritten(request: Signed, reader: Reader, text: string): Signed {
  if (!("query" in reader)) return put(request, reader, changed(text));
  const [before, after] = [text, changed(text)].map((one) => `${reader.query}=${encodeURIComponent(one)}`);
  return { ...request, url: request.url.replace(before ?? "", after ?? "") };
}

/** Another character in the middle, of one byte, and never a blank that somebody might trim. */
function changed(text: string): string {
  const half = Math.floor(text.length / 2);
  const at = text.slice(half).search(/[A-Za-z0-9]/);
  const position = at < 0 ? text.search(/[A-Za-z0-9]/) : half + at;
  if (position < 0) return `${text}0`;
  return `${text.slice(0, position)}${text[position] === "1" ? "2" : "1"}${text.slice(position + 1)}`;
}
