/** HMAC signatures, driven by data: verify and sign as a pair. Any of several signatures, any of two secrets, exact bytes, bounded time. */
import type { Rejection, SecretSlot } from "../core/reasons.ts";
import { failed, ok, type Result } from "../core/result.ts";
import { concat, utf8 } from "./bytes.ts";
import { equalTo } from "./compare.ts";
import { readSignatures, readTimestamps, shapeOf, writeSignature, type HeaderFormat } from "./header-format.ts";
import { KEY_SHAPES, keyBytes, type KeyForm, type MacKey } from "./key.ts";
import type { Match, Outgoing, Secrets, SignedRequest } from "./request.ts";

export type Hash = "SHA-1" | "SHA-256" | "SHA-512";

/** A piece of what is signed: the body's bytes, the timestamp exactly as sent, a constant, or the header that holds the event's id. */
export type MessagePart = "body" | "timestamp" | { readonly literal: string } | { readonly id: string };

export interface HmacScheme {
  readonly kind: "hmac";
  readonly hash: Hash;
  readonly key: KeyForm;
  readonly signature: HeaderFormat;
  /** What is signed, in order. Header names in lower case, as everywhere in a scheme. */
  readonly message: readonly MessagePart[];
  /** Where the signed time stands, or null where the provider signs none. `pair`: in the signature header itself. */
  readonly timestamp: { readonly at: "pair" | { readonly header: string }; readonly unit: "s" | "ms" } | null;
}

const MAC_BYTES: Readonly<Record<Hash, number>> = { "SHA-1": 20, "SHA-256": 32, "SHA-512": 64 };
const MS_PER_UNIT = { s: 1_000, ms: 1 } as const;

export async function verifyHmac(
  scheme: HmacScheme,
  request: SignedRequest,
  secrets: Secrets,
  nowMs: number,
  toleranceMs: number,
): Promise<Result<Match, Rejection>> {
  const keys = await importKeys(scheme, secrets);
  if (keys.usable.length === 0) return failed(keys.malformed ?? { reason: "secret_missing" });

  const { header } = scheme.signature;
  const headerText = request.headers.get(header) ?? "";
  if (headerText.trim() === "") return failed({ reason: "signature_missing", header });
  const macBytes = MAC_BYTES[scheme.hash];
  const signatures = readSignatures(scheme.signature, headerText, macBytes);
  if (signatures.length === 0) return failed({ reason: "signature_malformed", header, expected: shapeOf(scheme.signature, macBytes) });

  const timestamp = readTimestamp(scheme, request.headers, headerText);
  if (!timestamp.ok) return timestamp;
  const message = assemble(scheme, request.headers, request.body, timestamp.value.text);
  if (!message.ok) return message;

  // The signature before the window: only then does `timestamp_too_old` mean "genuine, but late", which an operator treats unlike a forgery.
  const matched = await firstMatch(keys.usable, signatures, message.value);
  if (matched === null) {
    return failed(
      keys.malformed ?? {
        reason: "signature_mismatch",
        secretsTried: keys.usable.length,
        signaturesTried: signatures.length,
        bodyBytes: request.body.length,
      },
    );
  }
  const { sentAtMs } = timestamp.value;
  if (sentAtMs === null) return ok({ matched });
  const ageMs = nowMs - sentAtMs;
  // Written so that a NaN refuses.
  if (!(ageMs <= toleranceMs)) return failed({ reason: "timestamp_too_old", sentAtMs, nowMs, toleranceMs });
  if (!(ageMs >= -toleranceMs)) return failed({ reason: "timestamp_in_future", sentAtMs, nowMs, toleranceMs });
  return ok({ matched });
}

export async function signHmac(scheme: HmacScheme, outgoing: Outgoing, secret: string): Promise<Record<string, string>> {
  const key = await importKey(scheme, secret);
  if (key === null) throw new TypeError(`the secret cannot be a key: expected ${KEY_SHAPES[scheme.key]}`);
  const timestamp = scheme.timestamp === null ? "" : String(Math.floor(outgoing.timestampMs / MS_PER_UNIT[scheme.timestamp.unit]));
  const headers: Record<string, string> = {};
  for (const part of scheme.message) if (typeof part === "object" && "id" in part) headers[part.id] = outgoing.id;
  if (scheme.timestamp !== null && scheme.timestamp.at !== "pair") headers[scheme.timestamp.at.header] = timestamp;
  const message = assemble(scheme, new Headers(headers), outgoing.body, timestamp);
  if (!message.ok) throw new TypeError(`the message cannot be signed: ${message.failure.reason}`);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, message.value));
  return { ...headers, [scheme.signature.header]: writeSignature(scheme.signature, mac, timestamp) };
}

interface UsableKey {
  readonly slot: SecretSlot;
  readonly key: MacKey;
}

async function importKeys(
  scheme: HmacScheme,
  secrets: Secrets,
): Promise<{ readonly usable: readonly UsableKey[]; readonly malformed: Rejection | null }> {
  const usable: UsableKey[] = [];
  let malformed: Rejection | null = null;
  for (const slot of ["current", "next"] as const) {
    const secret = secrets[slot];
    if (secret === null) continue;
    const key = await importKey(scheme, secret);
    if (key !== null) usable.push({ slot, key });
    else malformed ??= { reason: "secret_malformed", secret: slot, expected: KEY_SHAPES[scheme.key] };
  }
  return { usable, malformed };
}

async function importKey(scheme: HmacScheme, secret: string): Promise<MacKey | null> {
  const bytes = keyBytes(scheme.key, secret);
  return bytes === null ? null : crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: scheme.hash }, false, ["sign", "verify"]);
}

async function firstMatch(keys: readonly UsableKey[], signatures: readonly Uint8Array[], message: Uint8Array): Promise<SecretSlot | null> {
  for (const { slot, key } of keys) {
    const isExpected = await equalTo(key, await crypto.subtle.sign("HMAC", key, message));
    for (const signature of signatures) if (await isExpected(signature)) return slot;
  }
  return null;
}

interface SentTime {
  /** Exactly as sent: it is what was signed. */
  readonly text: string;
  readonly sentAtMs: number | null;
}

function readTimestamp(scheme: HmacScheme, headers: Headers, signatureText: string): Result<SentTime, Rejection> {
  if (scheme.timestamp === null) return ok({ text: "", sentAtMs: null });
  const { at, unit } = scheme.timestamp;
  const header = at === "pair" ? scheme.signature.header : at.header;
  const found = at === "pair" ? readTimestamps(scheme.signature, signatureText) : [headers.get(header) ?? ""];
  const [text = ""] = found;
  if (text === "") return failed({ reason: "timestamp_missing", header });
  // Two different times in one header: whichever we took, the sender could have meant the other.
  if (!/^[0-9]{1,15}$/.test(text) || found.some((other) => other !== text)) {
    return failed({ reason: "timestamp_malformed", header, expected: unit === "s" ? "Unix seconds" : "Unix milliseconds" });
  }
  return ok({ text, sentAtMs: Number(text) * MS_PER_UNIT[unit] });
}

/** The exact bytes that are signed. A message that is only the body is not copied: it may be 10 MiB. */
function assemble(scheme: HmacScheme, headers: Headers, body: Uint8Array, timestamp: string): Result<Uint8Array, Rejection> {
  if (scheme.message.length === 1 && scheme.message[0] === "body") return ok(body);
  const parts: Uint8Array[] = [];
  for (const part of scheme.message) {
    if (part === "body") parts.push(body);
    else if (part === "timestamp") parts.push(utf8(timestamp));
    else if ("literal" in part) parts.push(utf8(part.literal));
    else {
      const value = headers.get(part.id);
      if (value === null || value === "") return failed({ reason: "signed_header_missing", header: part.id });
      parts.push(utf8(value));
    }
  }
  return ok(concat(parts));
}
