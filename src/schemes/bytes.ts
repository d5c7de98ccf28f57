/** Text to bytes and back. Total: malformed text is null, never an exception, and no decoder guesses (an `0g` is not a zero). */

type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Either case: Stripe sends lower, Authorize.Net upper. Whole bytes only. */
export function fromHex(text: string): Bytes | null {
  if (text.length % 2 !== 0) return null;
  const bytes = new Uint8Array(text.length / 2);
  let all = 0;
  for (let at = 0; at < bytes.length; at++) {
    const high = HEX_DIGITS[text.charCodeAt(2 * at)] ?? NONE;
    const low = HEX_DIGITS[text.charCodeAt(2 * at + 1)] ?? NONE;
    all |= high | low;
    bytes[at] = (high << 4) | low;
  }
  return all > 0xf ? null : bytes;
}

export function toHex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

/** Padded, canonical (RFC 4648, 3.5): otherwise several texts would be one signature. `atob` also takes white space and missing padding. */
export function fromBase64(text: string): Bytes | null {
  if (text.length % 4 !== 0) return null;
  const letters = text.endsWith("==") ? text.length - 2 : text.endsWith("=") ? text.length - 1 : text.length;
  return fromLetters(text, letters, BASE64_LETTERS);
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** Unpadded, canonical (RFC 4648, 5). */
export function fromBase64Url(text: string): Bytes | null {
  return text.length % 4 === 1 ? null : fromLetters(text, text.length, BASE64URL_LETTERS);
}

export function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Base64 with its padding restored: secrets are often pasted without it. */
export function padded(text: string): string {
  return text + "=".repeat((4 - (text.length % 4)) % 4);
}

export function concat(parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Above this, or with anything but ASCII, the platform's encoder is quicker than ours. */
const SHORT_CHARACTERS = 256;

/** Texts and bytes in one piece. A crossing to the platform's encoder costs as much as a short MAC, so short texts are written by hand. */
export function joined(pieces: readonly (string | Uint8Array)[]): Bytes {
  let characters = 0;
  let length = 0;
  for (const piece of pieces) {
    length += piece.length;
    if (typeof piece === "string") characters += piece.length;
  }
  if (characters > SHORT_CHARACTERS) return encoded(pieces);
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    if (typeof piece === "string") {
      for (let at = 0; at < piece.length; at++) {
        const unit = piece.charCodeAt(at);
        if (unit > 0x7f) return encoded(pieces);
        whole[offset + at] = unit;
      }
    } else whole.set(piece, offset);
    offset += piece.length;
  }
  return whole;
}

/** Texts side by side are encoded as one. */
function encoded(pieces: readonly (string | Uint8Array)[]): Bytes {
  const bytes: Uint8Array[] = [];
  let text = "";
  for (const piece of pieces) {
    if (typeof piece === "string") text += piece;
    else {
      if (text !== "") bytes.push(utf8(text));
      text = "";
      bytes.push(piece);
    }
  }
  if (text !== "") bytes.push(utf8(text));
  return concat(bytes);
}

/** Tables, since a signature's few letters would cost more in calls to the platform than its MAC. */
const NONE = 255;
const HEX_DIGITS = table("0123456789abcdef", "0123456789ABCDEF");
const BASE64_LETTERS = table("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
const BASE64URL_LETTERS = table("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

/** By code unit; what is no letter of the alphabets is NONE, and above ASCII undefined. */
function table(...alphabets: readonly string[]): Uint8Array {
  const values = new Uint8Array(128).fill(NONE);
  for (const alphabet of alphabets) for (let value = 0; value < alphabet.length; value++) values[alphabet.charCodeAt(value)] = value;
  return values;
}

/** Six bits a letter; the bits that are left over must be zero, or another text would be the same bytes. */
function fromLetters(text: string, letters: number, values: Uint8Array): Bytes | null {
  const bytes = new Uint8Array(Math.floor((letters * 6) / 8));
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let letter = 0; letter < letters; letter++) {
    const value = values[text.charCodeAt(letter)] ?? NONE;
    if (value === NONE) return null;
    held = ((held << 6) | value) & 0xfff;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[at++] = (held >> bits) & 0xff;
    }
  }
  return (held & ((1 << bits) - 1)) === 0 ? bytes : null;
}
