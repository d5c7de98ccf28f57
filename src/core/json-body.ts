/** Pure. A JSON body, parsed once and only if somebody reads it. Values come out as text, exactly as the provider wrote them. Total on any bytes. */

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
  #parsed: { readonly text: string; readonly root: unknown } | "malformed" | null = null;

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
    return typeof value === "number" ? numberTextAt(parsed.text, path) : null;
  }

  /** The value itself; undefined when there is none. Its numbers are doubles. */
  at(path: readonly string[]): unknown {
    const parsed = this.#parse();
    return parsed === "malformed" ? undefined : valueAt(parsed.root, path);
  }

  #parse(): { readonly text: string; readonly root: unknown } | "malformed" {
    return (this.#parsed ??= parseJson(this.#bytes));
  }
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
