/** Writes a value where a Reader will find it: the sender's half of core/delivery.ts, for tests and `npm run send`. */
import { Delivery, type Reader } from "../core/delivery.ts";
import { valueAt } from "../core/json-body.ts";
import { utf8 } from "./bytes.ts";
import type { Signed } from "./request.ts";

/** `isNumber`: in JSON the text is written as a number, unless what stands there is a text. */
export function put(request: Signed, reader: Reader, text: string, isNumber = false): Signed {
  if ("header" in reader) return { ...request, headers: { ...request.headers, [reader.header]: text } };
  if ("query" in reader) {
    const separator = request.url.includes("?") ? "&" : "?";
    return { ...request, url: `${request.url}${separator}${reader.query}=${encodeURIComponent(text)}` };
  }
  if ("form" in reader) {
    const form = new URLSearchParams(new TextDecoder().decode(request.body));
    form.set(reader.form, text);
    return { ...request, body: utf8(form.toString()) };
  }
  if ("literal" in reader) throw new TypeError("a constant is not written");
  const { within, json: path } = reader;
  const before: unknown = JSON.parse(within === undefined ? new TextDecoder().decode(request.body) : (viewOf(request).read(within) ?? "{}"));
  const value = isNumber && typeof valueAt(before, path) !== "string" ? Number(text) : text;
  const after = JSON.stringify(setAt(before, path, value));
  return within === undefined ? { ...request, body: utf8(after) } : put(request, within, after);
}

/** A copy of a JSON value with another value at a path; objects that are not there are made. */
export function setAt(root: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(root)) return root.map((one: unknown, index) => (String(index) === key ? setAt(one, rest, value) : one));
  const fields = typeof root === "object" && root !== null ? (root as Readonly<Record<string, unknown>>) : {};
  return { ...fields, [key]: setAt(fields[key], rest, value) };
}

/** The request as its receiver reads it. */
export const viewOf = (request: Signed): Delivery =>
  new Delivery({ method: request.method, url: request.url, headers: new Headers(request.headers), body: request.body });
