/**
 * Pure. A JSON body without some of its fields, and without the space between its tokens: what stays is written as its sender wrote it, since a number
 * that went through a double could come out as another one.
 */
import { EACH, elements, endOfString, members, nameOf, rootOf, type Span } from "./json-slices.ts";
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, isSpace, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from "./json-tokens.ts";

type Paths = readonly (readonly string[])[];

/** The body is known to be JSON. Of several fields with one name all go. It descends only as deep as a path is long. */
export function withoutFields(body: Uint8Array, paths: Paths): Uint8Array {
  const out = new Compact(body);
  write(out, body, rootOf(body), paths);
  return out.bytes();
}

function write(out: Compact, body: Uint8Array, value: Span, paths: Paths): void {
  const isObject = body[value.start] === OPEN_OBJECT;
  if (paths.length === 0 || !(isObject || body[value.start] === OPEN_ARRAY)) return out.copy(value);
  const below = isObject
    ? members(body, value).map((member) => ({ ...member, paths: after(paths, nameOf(body, member.key)) }))
    : (elements(body, value) ?? []).map((element) => ({ key: null, value: element, paths: after(paths, EACH) }));
  out.put(isObject ? OPEN_OBJECT : OPEN_ARRAY);
  for (const [index, one] of below.filter((each) => !each.paths.some((path) => path.length === 0)).entries()) {
    if (index > 0) out.put(COMMA);
    if (one.key !== null) {
      out.copy(one.key);
      out.put(COLON);
    }
    write(out, body, one.value, one.paths);
  }
  out.put(isObject ? CLOSE_OBJECT : CLOSE_ARRAY);
}

/** What is left of the paths that begin with this step. */
const after = (paths: Paths, step: string): Paths => paths.filter(([first]) => first === step).map((path) => path.slice(1));

/** Never longer than the body. */
class Compact {
  readonly #body: Uint8Array;
  readonly #out: Uint8Array;
  #length = 0;

  constructor(body: Uint8Array) {
    this.#body = body;
    this.#out = new Uint8Array(body.length);
  }

  put(byte: number): void {
    this.#out[this.#length++] = byte;
  }

  /** Without the space outside of strings. */
  copy({ start, end }: Span): void {
    for (let at = start; at < end; at++) {
      const byte = this.#body[at] ?? 0;
      if (byte === QUOTE) {
        const close = endOfString(this.#body, at);
        this.#out.set(this.#body.subarray(at, close + 1), this.#length);
        this.#length += close + 1 - at;
        at = close;
      } else if (!isSpace(byte)) this.put(byte);
    }
  }

  bytes(): Uint8Array {
    return this.#out.subarray(0, this.#length);
  }
}
