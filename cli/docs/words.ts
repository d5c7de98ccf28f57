/** Pure. A preset's data in the words of a table's cells. */
import type { Reader } from "../../src/core/delivery.ts";
import type { Acknowledgement, Handshake, Provider } from "../../src/providers/provider.ts";
import { isSigned, type IdReader } from "../../src/providers/readers.ts";
import type { Scheme } from "../../src/schemes/scheme.ts";
import type { SignatureFormat } from "../../src/schemes/signature.ts";
import type { SignedMessage } from "../../src/schemes/signed-message.ts";
import { flatten, readerOf, type Part } from "../../src/schemes/template.ts";
import { fetchesKeys } from "../source-keys.ts";

/** `header x-signature`, and of the body only the path. */
export function placeInWords(reader: Reader): string {
  if ("header" in reader) return `header \`${reader.header}\``;
  if ("query" in reader) return `query \`${reader.query}\``;
  if ("form" in reader) return `form \`${reader.form}\``;
  if ("literal" in reader) return `always \`${reader.literal}\``;
  return `${reader.within === undefined ? "body" : `${placeInWords(reader.within)}, in it`} \`${reader.json.join(".")}\``;
}

/** Where the proof stands, its algorithm, and what it is over. */
export function signatureInWords(scheme: Scheme): string {
  switch (scheme.kind) {
    case "token":
      return `${placeInWords(scheme.at)}: fixed token${scheme.prefix === "" ? "" : ` after \`${scheme.prefix.trim()}\``}`;
    case "basic":
      return "header `authorization`: HTTP Basic";
    case "jwt":
      return `${placeInWords(scheme.at)}: JWT ${scheme.algorithms.join(" or ")}${fetchesKeys(scheme) ? " (key fetched)" : ""}${scheme.body === null ? "" : ", over the body's digest"}`;
    case "hmac":
      return signed(scheme, `HMAC-${dense(scheme.hash)}`);
    case "hash":
      return signed(scheme, `plain ${dense(scheme.hash)}`);
    case "ed25519":
      return signed(scheme, "Ed25519");
    case "ecdsa":
      return signed(scheme, `ECDSA P-256 ${dense(scheme.hash)}`);
    case "rsa": {
      const hash = typeof scheme.hash === "string" ? scheme.hash : Object.values(scheme.hash.of).join(" or ");
      return signed(scheme, `RSA ${dense(hash)}${fetchesKeys(scheme) ? " (key fetched)" : ""}`);
    }
  }
}

const dense = (hash: string): string => hash.replaceAll("SHA-", "SHA");

function signed(rules: SignedMessage, algorithm: string): string {
  return `${placesInWords(rules.signature)}${rules.items === undefined ? "" : " of each item"}: ${algorithm}, ${encodingOf(rules.signature)}, over ${messageInWords(rules.message)}`;
}

function placesInWords({ at }: SignatureFormat): string {
  const [first, ...others] = at.map(placeInWords);
  return `${first ?? ""}${others.length === 0 ? "" : others.length === 1 ? ` or ${others[0] ?? ""}` : `, and ${others.length} more`}`;
}

const encodingOf = ({ encoding }: SignatureFormat): string => (encoding === "HEX" ? "upper-case hex" : encoding);

const PART_WORDS: Readonly<Record<Extract<Part, string>, string>> = {
  body: "body",
  timestamp: "time",
  method: "method",
  url: "URL",
  url_with_port: "URL",
  target: "path",
  secret: "secret",
  sorted_form: "form",
  body_sha256_hex: "the body's SHA256",
  body_crc32: "the body's CRC32",
};
/** More of them are counted. */
const VALUES_NAMED = 2;
const ID_PARTS_NAMED = 3;

function messageInWords(message: readonly Part[]): string {
  const parts = flatten(message).filter((part) => typeof part === "string" || !("literal" in part));
  const values = parts.filter((part) => typeof part === "object" && !("id" in part) && !("signedHeaders" in part));
  const words = parts.flatMap((part) => {
    if (typeof part === "string") return [PART_WORDS[part]];
    if ("id" in part) return ["id"];
    if ("signedHeaders" in part) return ["listed headers"];
    const reader = readerOf(part);
    if (reader === null || values.length > VALUES_NAMED) return part === values[0] ? [`${values.length} values`] : [];
    return [placeInWords(reader)];
  });
  return [...new Set(words)].join(", ");
}

export function idInWords(readers: readonly IdReader[]): string {
  return readers.map(oneIdInWords).join(" or ");
}

function oneIdInWords(reader: IdReader): string {
  if ("digest" in reader)
    return `digest${reader.without.length === 0 ? "" : ` without ${reader.without.map((path) => `\`${path.join(".")}\``).join(", ")}`}`;
  if ("each" in reader) return "a new one for each delivery";
  if (!("compound" in reader)) return placeInWords(reader);
  const words = [...new Set([...reader.compound, ...reader.optional].map(placeInWords))];
  const [only = ""] = words;
  if (words.length === 1) return `digest of ${only}`;
  // The place is said once where it is the same.
  const named = words
    .slice(0, ID_PARTS_NAMED)
    .map((one, at) => (at > 0 && placeOnly(one) === placeOnly(words[at - 1] ?? "") ? one.slice(placeOnly(one).length) : one));
  const all = [...named, ...(words.length > ID_PARTS_NAMED ? [`${words.length - ID_PARTS_NAMED} more`] : [])].join(" + ");
  return reader.hashed === true ? `digest of ${all}` : all;
}

/** `body ` of "body `id`". */
const placeOnly = (words: string): string => words.slice(0, words.indexOf("`"));

export function idSignedInWords({ split, id, scheme }: Provider): string {
  const all = (split?.id ?? id).map((reader) => isSigned(reader, scheme));
  return all.every(Boolean) ? "yes" : all.some(Boolean) ? "partly" : "no";
}

export function eventsInWords({ split }: Provider): string {
  return split === null ? "one" : split.items.length === 0 ? "split" : `split: \`${split.items.join(".")}\``;
}

export function handshakesInWords(handshakes: readonly Handshake[]): string {
  return [...new Set(handshakes.map(handshakeInWords))].join("; ");
}

function handshakeInWords(handshake: Handshake): string {
  switch (handshake.kind) {
    case "get_echo":
      return `GET, echo${handshake.tokenParam === null ? "" : " for a verify token"}`;
    case "get_hmac":
      return "GET, HMAC of the challenge";
    case "post_echo":
      return `POST, echo${handshake.signed ? ", signed" : ""}`;
    case "post_hmac":
      return `POST, HMAC of the challenge${handshake.signed ? ", signed" : ""}`;
    case "post_constant":
      return `POST, fixed answer${handshake.signed ? ", signed" : ""}`;
    case "options_cloudevents":
      return "OPTIONS of CloudEvents";
    case "post_confirm":
      return "POST, its URL is fetched";
    case "post_secret":
      return "POST that brings the secret";
  }
}

/** Nothing where ours will do. */
export function answerInWords(acknowledgement: Acknowledgement | null): string {
  if (acknowledgement === null) return "";
  const { status, body, contentType } = acknowledgement;
  return body === null || body === ""
    ? `${status}, empty${status === 204 ? `, ${contentType.split(";", 1)[0] ?? ""}` : ""}`
    : `${status} \`${body}\``;
}

export const PROOF_WORDS = { vector: "published vector", package: "official package", documentation: "documentation" } as const;
