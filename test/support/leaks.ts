/** What must never stand in a log line: secrets, signatures, and what test payloads carry. test/support/watch-log.ts feeds it with what a run really uses. */

/** Test payloads carry this word somewhere beside ids and types: a line that has it quotes a payload. */
export const PAYLOAD_CANARY = "payload-canary-4711";
const CANARY = "canary";

/** A JSON payload with the canary in it, unless it has a `note` of its own; a list stays as it is. */
export const marked = (body: unknown): unknown =>
  typeof body === "object" && body !== null && !Array.isArray(body) ? { note: PAYLOAD_CANARY, ...body } : body;

/** Shorter texts are words like any other (`secret`, `user_1`). */
const SHORTEST_SECRET = 12;
/** A signature is known by its beginning; a digest's prefix in the log is shorter (12). */
const SIGNATURE_PREFIX = 16;
const MAYBE_SIGNATURE = /[A-Za-z0-9+/_-]{16,}/g;
const NAMES_SECRET = /SECRET|TOKEN|KEY|PASSWORD/;

export class Leaks {
  readonly #secrets = new Set<string>();
  readonly #signatures = new Set<string>();

  /** Every variable whose name says that it is one. */
  addVariables(variables: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(variables)) if (NAMES_SECRET.test(name) && typeof value === "string") this.addSecret(value);
  }

  /** In pieces without white space: in JSON a PEM's line ends are written otherwise. */
  addSecret(text: string): void {
    for (const piece of text.split(/\s+/)) if (piece.length >= SHORTEST_SECRET && !piece.startsWith("-----")) this.#secrets.add(piece);
  }

  /** A key's bytes: as the text that they may be, and as encodings are found. */
  addKey(bytes: Uint8Array): void {
    const text = new TextDecoder().decode(bytes);
    if (/^[\x20-\x7e]+$/.test(text)) this.addSecret(text);
    this.addSignature(bytes);
  }

  addSignature(bytes: Uint8Array): void {
    if (bytes.byteLength >= SIGNATURE_PREFIX) for (const form of encodings(bytes)) this.#signatures.add(form.slice(0, SIGNATURE_PREFIX));
  }

  /** What the line gives away; null: nothing. */
  in(line: string): string | null {
    if (line.includes(CANARY)) return "a payload";
    for (const secret of this.#secrets) if (line.includes(secret)) return "a secret";
    const tokens = line.match(MAYBE_SIGNATURE) ?? [];
    return tokens.some((token) => this.#signatures.has(token.slice(0, SIGNATURE_PREFIX))) ? "a signature" : null;
  }
}

function encodings(bytes: Uint8Array): string[] {
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const base64 = btoa(String.fromCharCode(...bytes));
  return [hex, hex.toUpperCase(), base64, base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")];
}

const found: string[] = [];
export const note = (leak: string): void => void found.push(leak);
/** What was found since the last time. */
export const take = (): string[] => found.splice(0);
