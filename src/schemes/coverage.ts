/** Pure. What a scheme's signature covers, from its data: only that cannot be changed by whoever captured a request. */
import type { Reader } from "../core/delivery.ts";
import { messageOf, type Scheme } from "./scheme.ts";
import { flatten, readerOf, uses } from "./template.ts";

/** Whether every byte of the body is covered. A CRC-32 does not count: another body with the same one is made in no time (PayPal). */
export function coversBody(scheme: Scheme): boolean {
  if (scheme.kind === "jwt") return scheme.body !== null;
  const rules = messageOf(scheme);
  if (rules === null || rules.items !== undefined) return false;
  return rules.bodyDigest !== undefined || (["body", "body_sha256_hex"] as const).some((part) => uses(rules.message, part));
}

/** Whether it is a form's fields that are covered, in whatever encoding they come (Twilio, Mandrill). */
export function coversForm(scheme: Scheme): boolean {
  return uses(messageOf(scheme)?.message ?? [], "sorted_form");
}

/** Whether what this reader reads is covered. */
export function covers(scheme: Scheme, reader: Reader): boolean {
  if ("literal" in reader) return true;
  if ("json" in reader && reader.within !== undefined && covers(scheme, reader.within)) return true;
  const rules = messageOf(scheme);
  const parts = rules === null ? [] : flatten(rules.message);
  const isSame = (other: Reader | null): boolean => other !== null && JSON.stringify(other) === JSON.stringify(reader);
  if (parts.some((part) => isSame(readerOf(part)))) return true;
  if ("header" in reader && parts.some((part) => typeof part === "object" && "including" in part && part.including?.includes(reader.header)))
    return true;
  if ("query" in reader) return parts.includes("url") || parts.includes("target") || (scheme.kind === "jwt" && scheme.url !== null);
  if ("header" in reader) return false;
  if ("form" in reader && parts.includes("sorted_form")) return true;
  return coversBody(scheme);
}

/** Whether the signed time, where there is one, is under the signature: the data of a preset may be wrong about it. */
export function coversTimestamp(scheme: Scheme): boolean {
  const rules = messageOf(scheme);
  if (rules === null || rules.timestamp === null) return true;
  return flatten(rules.message).includes("timestamp") || (rules.timestamp.at !== "signature" && covers(scheme, rules.timestamp.at));
}

/** Whether the URL is under the signature: then it must be the one that the provider was given, whatever proxies made of it. */
export function coversUrl(scheme: Scheme): boolean {
  if (scheme.kind === "jwt") return scheme.audience === "url" || scheme.url !== null;
  const messages = messageOf(scheme);
  const all = messages === null ? [] : [messages.message, ...(messages.alternatives ?? [])];
  return all.some((parts) => (["url", "url_with_port", "target"] as const).some((part) => uses(parts, part)));
}
