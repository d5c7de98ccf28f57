/** Pure. A JSON body, parsed once and only if somebody reads it. Values come out as text, exactly as the provider wrote them. Total on any bytes. */
import { sliceText } from "./json-slices.ts";

/** The JSON value at a path; undefined when there is none. Own properties only: `constructor` is not a field that somebody sent. */
export function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[key];
  }
  return value;
}

export class JsonBody {
  readonly #bytes: Uint8Array;
  #parsed: Parsed | "malformed" | null = null;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Neither UTF-8 (a byte order mark is allowed) nor JSON. */
  get isMalformed(): boolean {
    return this.#parse() === "malformed";
  }

  /** Strings as they are; numbers as their source text, since 64-bit ids collapse in a double; true and false as such. Anything else is null. */
  textAt(path: readonly string[]): string | null {
    const parsed = this.#parse();
    if (parsed === "malformed") return null;
    const value = valueAt(parsed.root, path);
    if (typeof value === "string") return value;
    if (typeof value === "boolean") return String(value);
    // From the bytes: a second parse that kept the text of each number would cost seconds for a body full of them, and again at each read.
    return typeof value === "number" ? numberText(sliceText(this.#bytes, path)) : null;
  }

  /** The value itself; undefined when there is none. Its numbers are doubles. */
  at(path: readonly string[]): unknown {
    const parsed = this.#parse();
    return parsed === "malformed" ? undefined : valueAt(parsed.root, path);
  }

  #parse(): Parsed | "malformed" {
    return (this.#parsed ??= parseJson(this.#bytes));
  }
}

interface Parsed {
  readonly root: unknown;
}

/** null: what stands there is no number (an array's `length` is one to JavaScript, and nobody sent it). */
function numberText(text: string | null): string | null {
  return text !== null && /^-?[0-9]/.test(text) ? text : null;
}

function parseJson(bytes: Uint8Array): Parsed | "malformed" {
  try {
    return { root: JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes)) };
  } catch {
    return "malformed";
  }
}
