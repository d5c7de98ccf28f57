/** Pure. The exact bytes of values in a JSON body: an item is kept and handled as it was sent, not as somebody would write it again. */
import { BACKSLASH, CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, isSpace, OPEN_ARRAY, OPEN_OBJECT, QUOTE } from "./json-tokens.ts";

/** In a path: every element of the array that stands here. */
export const EACH = "*";

/**
 * The elements of the array at a path; `entry.*.changes` is every element of every entry's `changes`, of those that have one. An object where the array
 * is expected is its only element (some providers send one item without the brackets). null: the body is not JSON in UTF-8, or there is neither: an
 * empty list on the way is a list without events, one whose elements all lack what comes next is not what the path describes. Of several fields with
 * one name the last counts, as for JSON.parse. `limit`: of more elements in one array only the first that are too many are made.
 */
export function sliceItems(body: Uint8Array, path: readonly string[], limit = Number.POSITIVE_INFINITY): readonly Uint8Array[] | null {
  if (!isJson(body)) return null;
  let found: Span[] = [rootOf(body)];
  let isEmpty = false;
  for (const step of path) {
    const below = found.map((at) => (step === EACH ? elements(body, at, limit) : field(body, at, step))).filter((all) => all !== null);
    isEmpty ||= step === EACH && below.length > 0 && below.every((all) => all.length === 0);
    found = below.flat();
  }
  if (found.length === 0) return isEmpty ? [] : null;
  const items = found.flatMap((at) => elements(body, at, limit) ?? (body[at.start] === OPEN_OBJECT ? [at] : []));
  const isArray = found.some((at) => body[at.start] === OPEN_ARRAY || body[at.start] === OPEN_OBJECT);
  return isArray ? items.map(({ start, end }) => body.subarray(start, end)) : null;
}

/** The text of the value at a path of bytes that are known to be JSON, as it was written; null: there is none. An array's step is an index. */
export function sliceText(body: Uint8Array, path: readonly string[]): string | null {
  let at: Span | null = rootOf(body);
  for (const step of path) {
    at = body[at.start] === OPEN_ARRAY ? element(body, at, step) : (field(body, at, step)?.[0] ?? null);
    if (at === null) return null;
  }
  return new TextDecoder().decode(body.subarray(at.start, at.end));
}

/** A value's first byte and the one after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Everything below relies on this: the bytes are known to be JSON, so that a scan needs no error of its own. */
function isJson(body: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body));
    return true;
  } catch {
    return false;
  }
}

export function elements(body: Uint8Array, array: Span, limit = Number.POSITIVE_INFINITY): Span[] | null {
  if (body[array.start] !== OPEN_ARRAY) return null;
  const all: Span[] = [];
  for (let at = skipSpace(body, array.start + 1); body[at] !== CLOSE_ARRAY && all.length <= limit;) {
    const one = span(body, at);
    all.push(one);
    at = skipSpace(body, one.end);
    if (body[at] === COMMA) at = skipSpace(body, at + 1);
  }
  return all;
}

/** An array's element by its index, which is written as JSON's parser names it. */
function element(body: Uint8Array, array: Span, index: string): Span | null {
  const wanted = Number(index);
  if (String(wanted) !== index || !Number.isSafeInteger(wanted) || wanted < 0) return null;
  return elements(body, array, wanted)?.[wanted] ?? null;
}

/** The field's value, alone; null: it is no object, or has none of that name. */
function field(body: Uint8Array, object: Span, name: string): readonly [Span] | null {
  if (body[object.start] !== OPEN_OBJECT) return null;
  const wanted = new TextEncoder().encode(name);
  const found = members(body, object).findLast(({ key }) => isNamed(body, key, name, wanted));
  return found === undefined ? null : [found.value];
}

/** The fields of an object, in their order, also those of one name. */
export function members(body: Uint8Array, object: Span): readonly { readonly key: Span; readonly value: Span }[] {
  const all: { readonly key: Span; readonly value: Span }[] = [];
  for (let at = skipSpace(body, object.start + 1); body[at] !== CLOSE_OBJECT;) {
    const key = span(body, at);
    at = skipSpace(body, key.end);
    if (body[at] === COLON) at = skipSpace(body, at + 1);
    const value = span(body, at);
    all.push({ key, value });
    at = skipSpace(body, value.end);
    if (body[at] === COMMA) at = skipSpace(body, at + 1);
  }
  return all;
}

/** A field's name. Parsed, not compared: it may be written with escapes. */
export function nameOf(body: Uint8Array, key: Span): string {
  return String(JSON.parse(new TextDecoder().decode(body.subarray(key.start, key.end))));
}

/** The one value of a body that is known to be JSON; a byte order mark is no part of it. */
export function rootOf(body: Uint8Array): Span {
  const bom = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
  return span(body, skipSpace(body, bom));
}

/** Byte by byte: of a body with a million fields each would else be decoded. Only a key that is written with escapes has to be parsed. */
function isNamed(body: Uint8Array, key: Span, name: string, wanted: Uint8Array): boolean {
  const first = key.start + 1;
  const length = key.end - 1 - first;
  for (let at = 0; at < length; at++) {
    const byte = body[first + at];
    if (byte === BACKSLASH) return length <= ESCAPED_LENGTH * name.length && nameOf(body, key) === name;
    if (byte !== wanted[at]) return false;
  }
  return length === wanted.length;
}

/** The most that a UTF-16 unit takes as an escape: `\u0061`. Raw, it is at most three bytes. */
const ESCAPED_LENGTH = 6;

/** The value that begins here. Without recursion: a body may be nested as deep as it is long. */
function span(body: Uint8Array, start: number): Span {
  let depth = 0;
  for (let at = start; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) {
      at = endOfString(body, at);
      if (depth === 0) return { start, end: at + 1 };
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      // The bracket of whatever holds this number or word.
      if (depth === 0) return { start, end: trimEnd(body, start, at) };
      if (--depth === 0) return { start, end: at + 1 };
    } else if (depth === 0 && byte === COMMA) return { start, end: trimEnd(body, start, at) };
  }
  return { start, end: trimEnd(body, start, body.length) };
}

/** The position of the closing quote. */
export function endOfString(body: Uint8Array, quote: number): number {
  for (let at = quote + 1; at < body.length; at++) {
    if (body[at] === BACKSLASH) at++;
    else if (body[at] === QUOTE) return at;
  }
  return body.length - 1;
}

function skipSpace(body: Uint8Array, from: number): number {
  let at = from;
  while (isSpace(body[at])) at++;
  return at;
}

function trimEnd(body: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && isSpace(body[at - 1])) at--;
  return at;
}
