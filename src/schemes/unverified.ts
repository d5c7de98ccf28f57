/**
 * Pure. What would have to be parsed of a request before anybody knows who sent it, from the scheme's own readers: where its signature is in the body,
 * or what it covers is taken out of the body, anybody makes us parse. That is bounded more tightly than the body, which is only hashed.
 */
import type { Delivery, Reader } from "../core/delivery.ts";
import { FORM_FIELDS_LIMIT, UNVERIFIED_PARSE_LIMIT_BYTES } from "../core/limits.ts";
import type { Rejection } from "../core/reasons.ts";
import { isTimeAfter } from "./refusal.ts";
import type { Scheme } from "./scheme.ts";
import { readerOf, uses, type Part } from "./template.ts";

/** null: it is not. A form counts by its fields, which are what makes it costly; JSON by its bytes. */
export function tooLargeUnverified(scheme: Scheme, delivery: Delivery): Rejection | null {
  const { json, form } = parsesUnverified(scheme);
  if (form && delivery.isFormTooLong)
    return { reason: "unverified_too_large", place: "the form in the body", limit: `${FORM_FIELDS_LIMIT.toLocaleString("en-US")} fields` };
  if (json && delivery.body.length > UNVERIFIED_PARSE_LIMIT_BYTES)
    return { reason: "unverified_too_large", place: "the JSON in the body", limit: `${UNVERIFIED_PARSE_LIMIT_BYTES.toLocaleString("en-US")} bytes` };
  return null;
}

interface Parsed {
  readonly json: boolean;
  readonly form: boolean;
}

const known = new WeakMap<Scheme, Parsed>();

/** Which of the two the scheme's readers parse before the signature holds. */
export function parsesUnverified(scheme: Scheme): Parsed {
  const before = known.get(scheme);
  if (before !== undefined) return before;
  const parsed = ofReaders(scheme);
  known.set(scheme, parsed);
  return parsed;
}

function ofReaders(scheme: Scheme): Parsed {
  const readers = readersOf(scheme);
  const rules = "message" in scheme ? scheme : null;
  const parts = rules === null ? [] : [rules.message, ...(rules.alternatives ?? [])];
  return {
    json: rules?.items !== undefined || readers.some(needsJson),
    form: readers.some(needsForm) || parts.some((one) => uses(one, "sorted_form")),
  };
}

function readersOf(scheme: Scheme): readonly Reader[] {
  if (scheme.kind === "basic") return [];
  const rules = "message" in scheme ? scheme : null;
  if (rules === null) return "at" in scheme ? [scheme.at] : [];
  const { signature, message, alternatives = [], timestamp, bodyDigest, pinned } = rules;
  const named =
    scheme.kind !== "rsa" ? [] : [scheme.key === "secret" ? [] : scheme.key.certificate, typeof scheme.hash === "string" ? [] : scheme.hash.by];
  return [
    ...signature.at,
    ...[message, ...alternatives].flatMap(partReaders),
    ...(timestamp === null || timestamp.at === "signature" || isTimeAfter(rules) ? [] : [timestamp.at]),
    // After the signature, which need not cover the body.
    ...(bodyDigest === undefined ? [] : [bodyDigest]),
    ...(pinned === undefined ? [] : [pinned]),
    ...named.flat(),
  ];
}

function partReaders(parts: readonly Part[]): readonly Reader[] {
  return parts.flatMap((part) => (typeof part === "object" && "when" in part ? [part.when, ...partReaders(part.parts)] : (readerOf(part) ?? [])));
}

function needsForm(reader: Reader): boolean {
  return "form" in reader || ("json" in reader && reader.within !== undefined && needsForm(reader.within));
}

/** JSON in a header or in the query is bounded with it. */
function needsJson(reader: Reader): boolean {
  return "json" in reader && (reader.within === undefined || needsForm(reader.within) || needsJson(reader.within));
}
