/** Pure. Where in a delivery a value stands, and reading it as text exactly as the provider wrote it. Total on any headers and any bytes. */
import { coversBody, coversHeader, type Scheme } from "../schemes/scheme.ts";

export type Reader = { readonly header: string } | { readonly json: readonly string[] } | { readonly literal: string };

/** `head`, and `.tail` after it where there is one: `pull_request` and `opened` are `pull_request.opened`. */
export interface Joined {
  readonly head: Reader;
  readonly tail: Reader;
}

/** Header names in lower case. */
export const header = (name: string): Reader => ({ header: name });
/** A path into the JSON body, `data.object.id`. */
export const json = (path: string): Reader => ({ json: path.split(".") });
export const literal = (text: string): Reader => ({ literal: text });
export const joined = (head: Reader, tail: Reader): Joined => ({ head, tail });

/** The JSON value at a path; undefined when there is none. Own properties only: `constructor` is not a field that somebody sent. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

/** A body that is parsed once, and only if a reader needs it. */
export class JsonBody {
  readonly #bytes: Uint8Array;
  #parsed: { readonly text: string; readonly root: unknown } | "malformed" | null = null;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Neither UTF-8 (a byte order mark is allowed) nor JSON. */
  get isMalformed(): boolean {
    return this.#parse() === "malformed";
  }

  /** Strings as they are; numbers as their source text, since 64-bit ids collapse in a double. Anything else is null. */
  textAt(path: readonly string[]): string | null {
    const parsed = this.#parse();
    if (parsed === "malformed") return null;
    const value = valueAt(parsed.root, path);
    if (typeof value === "string") return value;
    return typeof value === "number" ? numberTextAt(parsed.text, path) : null;
  }

  #parse(): { readonly text: string; readonly root: unknown } | "malformed" {
    return (this.#parsed ??= parseJson(this.#bytes));
  }
}

export function read(reader: Reader, headers: Headers, body: JsonBody): string | null {
  if ("header" in reader) return headers.get(reader.header);
  if ("json" in reader) return body.textAt(reader.json);
  return reader.literal;
}

/** Whether the signature covers what this reader reads. If not, whoever captured a request can change it and stay authentic. */
export function isSigned(reader: Reader, scheme: Scheme): boolean {
  if ("header" in reader) return coversHeader(scheme, reader.header);
  return "json" in reader ? coversBody(scheme) : true;
}

/** A number that kept the text it was written as. */
class NumberSource {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

type SourceReviver = (this: unknown, key: string, value: unknown, context: { readonly source?: string }) => unknown;
/** The reviver's third argument is in every runtime that we run on, and not yet in TypeScript's ES2024. */
const parseWithSource = JSON.parse as (text: string, reviver: SourceReviver) => unknown;

/** A second parse, for the few providers whose ids are numbers. */
function numberTextAt(text: string, path: readonly string[]): string | null {
  const last = path.at(-1);
  try {
    const root = parseWithSource(text, (key, value, { source }) =>
      key === last && typeof value === "number" && source !== undefined ? new NumberSource(source) : value,
    );
    const value = valueAt(root, path);
    return value instanceof NumberSource ? value.source : null;
  } catch {
    // Revivers recurse: a body nested some thousand levels deep overflows the stack here, and not in the first parse.
    return null;
  }
}

function parseJson(bytes: Uint8Array): { readonly text: string; readonly root: unknown } | "malformed" {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    return { text, root: JSON.parse(text) };
  } catch {
    return "malformed";
  }
}
