/** Pure. One HTTP request of a provider, and reading single values out of it. Each part is parsed once, and only if somebody reads it. */
import { JsonBody } from "./json-body.ts";

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
  readonly json: JsonBody;
  readonly #multipart: URLSearchParams | null;
  #form: URLSearchParams | null | undefined;
  #query: URLSearchParams | undefined;
  #within: Map<string, JsonBody> | undefined;

  constructor(parts: DeliveryParts) {
    this.method = parts.method;
    this.url = parts.url;
    this.headers = parts.headers;
    this.body = parts.body;
    this.json = new JsonBody(parts.body);
    this.#multipart = parts.multipart ?? null;
  }

  /** The same request with one of its items as its body. */
  item(body: Uint8Array): Delivery {
    return new Delivery({ method: this.method, url: this.url, headers: this.headers, body });
  }

  /** The fields of a form body; null: it is none. */
  get form(): URLSearchParams | null {
    if (this.#form === undefined) {
      const isForm = /^application\/x-www-form-urlencoded\b/i.test(this.headers.get("content-type") ?? "");
      this.#form = isForm ? new URLSearchParams(new TextDecoder().decode(this.body)) : this.#multipart;
    }
    return this.#form;
  }

  get query(): URLSearchParams {
    const at = this.url.indexOf("?");
    return (this.#query ??= new URLSearchParams(at < 0 ? "" : this.url.slice(at)));
  }

  /** Text exactly as it was written, or null where there is none. */
  read(reader: Reader): string | null {
    if ("header" in reader) return this.headers.get(reader.header);
    if ("query" in reader) return this.query.get(reader.query);
    if ("form" in reader) return this.form?.get(reader.form) ?? null;
    if ("json" in reader) return this.jsonIn(reader.within)?.textAt(reader.json) ?? null;
    return reader.literal;
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
