/** Pure. One HTTP request of a provider, and reading single values out of it. Each part is parsed once, and only if somebody reads it. */
import { JsonBody } from "./json-body.ts";
import { FORM_FIELDS_LIMIT } from "./limits.ts";

/** Where in a delivery a value stands. Header names in lower case. */
export type Reader =
  | { readonly header: string }
  /** A parameter of the URL's query. */
  | { readonly query: string }
  /** A field of a form body. */
  | { readonly form: string }
  /** A path into the JSON body, or into the JSON text that another reader finds (a form's field). */
  | { readonly json: readonly string[]; readonly within?: Reader }
  | { readonly literal: string };

export const header = (name: string): Reader => ({ header: name });
export const query = (name: string): Reader => ({ query: name });
export const form = (field: string): Reader => ({ form: field });
/** `data.object.id`; `""` is the root. */
export const json = (path: string, within?: Reader): Reader => ({ json: steps(path), ...(within === undefined ? {} : { within }) });
export const literal = (text: string): Reader => ({ literal: text });
/** A path's steps: `data.object` is ["data", "object"], `""` the root. */
export const steps = (path: string): readonly string[] => (path === "" ? [] : path.split("."));

export interface DeliveryParts {
  readonly method: string;
  /** The URL that the provider was given: PUBLIC_BASE_URL and the request target as it came. */
  readonly url: string;
  readonly headers: Headers;
  /** The bytes as they came. */
  readonly body: Uint8Array;
  /** The text fields of a multipart body, which only the platform can parse. */
  readonly multipart?: URLSearchParams | null;
}

export class Delivery implements DeliveryParts {
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: Uint8Array;
  readonly #multipart: URLSearchParams | null;
  #json: JsonBody | undefined;
  #form: URLSearchParams | "too_long" | null | undefined;
  #query: URLSearchParams | undefined;
  #within: Map<string, JsonBody> | undefined;

  constructor(parts: DeliveryParts) {
    this.method = parts.method;
    this.url = parts.url;
    this.headers = parts.headers;
    this.body = parts.body;
    this.#multipart = parts.multipart ?? null;
  }

  /** The same request with one of its items as its body. */
  item(body: Uint8Array): Delivery {
    return new Delivery({ method: this.method, url: this.url, headers: this.headers, body });
  }

  get json(): JsonBody {
    return (this.#json ??= new JsonBody(this.body));
  }

  /** The fields of a form body; null: it is none, or one that is too long. */
  get form(): URLSearchParams | null {
    if (this.#form === undefined) this.#form = this.#readForm();
    return this.#form === "too_long" ? null : this.#form;
  }

  /** A form of more fields than are taken: nothing in it is read. */
  get isFormTooLong(): boolean {
    return this.form === null && this.#form === "too_long";
  }

  get query(): URLSearchParams {
    const at = this.url.indexOf("?");
    return (this.#query ??= new URLSearchParams(at < 0 ? "" : this.url.slice(at)));
  }

  /** Text exactly as it was written, or null where there is none, or more than one. */
  read(reader: Reader): string | null {
    if ("header" in reader) return this.headers.get(reader.header);
    if ("query" in reader) return onlyOne(this.query, reader.query);
    if ("form" in reader) return this.form === null ? null : onlyOne(this.form, reader.form);
    if ("json" in reader) return this.jsonIn(reader.within)?.textAt(reader.json) ?? null;
    return reader.literal;
  }

  #readForm(): URLSearchParams | "too_long" | null {
    if (!FORM_TYPE.test(this.headers.get("content-type") ?? ""))
      return (this.#multipart?.size ?? 0) > FORM_FIELDS_LIMIT ? "too_long" : this.#multipart;
    // Before it is parsed, which costs much more.
    if (fieldsOf(this.body) > FORM_FIELDS_LIMIT) return "too_long";
    return new URLSearchParams(new TextDecoder().decode(this.body));
  }

  /** The JSON body, or the JSON text that a reader finds; null: the reader finds nothing. */
  jsonIn(within: Reader | undefined): JsonBody | null {
    if (within === undefined) return this.json;
    const name = JSON.stringify(within);
    this.#within ??= new Map();
    const before = this.#within.get(name);
    if (before !== undefined) return before;
    const text = this.read(within);
    if (text === null) return null;
    const body = new JsonBody(new TextEncoder().encode(text));
    this.#within.set(name, body);
    return body;
  }
}

const FORM_TYPE = /^application\/x-www-form-urlencoded\b/i;
const AMPERSAND = 0x26;

function fieldsOf(body: Uint8Array): number {
  let fields = 1;
  for (let at = body.indexOf(AMPERSAND); at >= 0 && fields <= FORM_FIELDS_LIMIT; at = body.indexOf(AMPERSAND, at + 1)) fields++;
  return fields;
}

/** A field that is there twice has no value: the signature would be over one of them, and somebody else would read the other. */
function onlyOne(fields: URLSearchParams, name: string): string | null {
  const values = fields.getAll(name);
  return values.length === 1 ? (values[0] ?? null) : null;
}

/** For people: `the header x-signature`, `"data.id" in the body`. */
export function placeOf(reader: Reader): string {
  if ("header" in reader) return `the header ${reader.header}`;
  if ("query" in reader) return `the query parameter ${reader.query}`;
  if ("form" in reader) return `the form field ${reader.form}`;
  if ("literal" in reader) return `the constant ${reader.literal}`;
  return `"${reader.json.join(".")}" in ${reader.within === undefined ? "the body" : `the JSON of ${placeOf(reader.within)}`}`;
}

/** Path and query of a URL. Sliced, not parsed: a URL parser would write some characters otherwise than they were signed. */
export function targetOf(url: string): string {
  const at = url.indexOf("/", url.indexOf("://") + 3);
  return at < 0 ? "/" : url.slice(at);
}
