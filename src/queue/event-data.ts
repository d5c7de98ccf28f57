/** What a row's bytes say: for a page's readers, and for a handler. */
import { Delivery } from "../core/delivery.ts";
import { PermanentError } from "../core/errors.ts";
import { FORM_FIELDS_LIMIT } from "../core/limits.ts";
import { multipartFields } from "../multipart.ts";

interface KeptBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly body: Uint8Array | null;
}

/** The delivery as far as it is kept: neither its method nor its URL. */
export async function deliveryOf(row: KeptBody): Promise<Delivery> {
  const headers = new Headers(row.headers);
  if (row.contentType !== "") headers.set("content-type", row.contentType);
  const body = row.body ?? new Uint8Array(0);
  return new Delivery({ method: "POST", url: "", headers, body, multipart: await multipartFields(row.contentType, body) });
}

const JSON_TYPE = /^(?:application\/json|text\/json|[^;,]+\+json)\s*(?:;|$)/i;
const MULTIPART_TYPE = /^multipart\//i;
const TEXT_TYPE = /^(?:text\/|application\/xml\b|[^;,]+\+xml\s*(?:;|$))/i;

/**
 * The handler's `data`. A form is its fields, and never JSON: a body can be both, and the signature may have covered the fields alone. JSON is JSON
 * whatever else the sender calls it (an object or an array, where he calls it something else); then text is text, and what is none of these is null.
 * Throws PermanentError where JSON is announced, or nothing is, and it is not JSON in UTF-8.
 */
export function dataOf(delivery: Delivery): unknown {
  const contentType = delivery.headers.get("content-type") ?? "";
  if (delivery.isFormTooLong) throw new PermanentError(`the body is a form of more than ${FORM_FIELDS_LIMIT} fields, which are not read`);
  if (delivery.form !== null) return fieldsOf(delivery.form);
  if (MULTIPART_TYPE.test(contentType)) return null;
  const isAnnounced = contentType === "" || JSON_TYPE.test(contentType);
  const value = delivery.json.at([]);
  if (value !== undefined && (isAnnounced || (typeof value === "object" && value !== null))) return value;
  // The parser's own message quotes the payload.
  if (isAnnounced) throw new PermanentError("the body is not JSON in UTF-8, so no handler can read it");
  return TEXT_TYPE.test(contentType) ? new TextDecoder().decode(delivery.body) : null;
}

/** A field that is there several times is the list of its values. In one pass: names are the sender's to choose. */
function fieldsOf(form: URLSearchParams): Readonly<Record<string, string | readonly string[]>> {
  const values = new Map<string, string[]>();
  for (const [name, value] of form) {
    const before = values.get(name);
    if (before === undefined) values.set(name, [value]);
    else before.push(value);
  }
  return Object.fromEntries([...values].map(([name, [first = "", ...others]]) => [name, others.length === 0 ? first : [first, ...others]]));
}
