/** Pure. Follows what a Postgres server says, only as far as to know whether it owes an answer, and what its last words were. */

const ERROR_RESPONSE = 0x45;
const READY_FOR_QUERY = 0x5a;
/** A type byte, and a length that counts itself. */
const HEADER_BYTES = 5;
const LENGTH_BYTES = 4;

/** Why a server ended the connection. postgres.js drops a FATAL error, and with it the only reason for the loss. */
export interface Farewell {
  readonly sqlstate: string;
  readonly message: string;
}

export class ServerMessages {
  #header: number[] = [];
  #left = 0;
  #error: Uint8Array[] = [];
  #owes = false;
  #everReady = false;
  #farewell: Farewell | null = null;

  /** Something was sent: an answer is owed, until the server says that it is ready for a query. */
  asked(): void {
    this.#owes = true;
  }

  /** Not set by what a server may say at any time: notices, changed settings. */
  get owesAnswer(): boolean {
    return this.#owes;
  }

  get wasEverReady(): boolean {
    return this.#everReady;
  }

  get farewell(): Farewell | null {
    return this.#farewell;
  }

  /** The next bytes, wherever they were cut. */
  read(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.byteLength;) {
      if (this.#header.length < HEADER_BYTES) {
        this.#header.push(chunk[at] ?? 0);
        at += 1;
        if (this.#header.length < HEADER_BYTES) continue;
        this.#left = new DataView(Uint8Array.from(this.#header).buffer).getUint32(1) - LENGTH_BYTES;
      }
      const part = chunk.subarray(at, at + this.#left);
      if (this.#header[0] === ERROR_RESPONSE) this.#error.push(part);
      at += part.byteLength;
      this.#left -= part.byteLength;
      if (this.#left === 0) this.#ended();
    }
  }

  #ended(): void {
    const type = this.#header[0];
    if (type === READY_FOR_QUERY) {
      this.#owes = false;
      this.#everReady = true;
    }
    if (type === ERROR_RESPONSE) this.#farewell = farewellIn(this.#error);
    this.#header = [];
    this.#error = [];
  }
}

/** An ErrorResponse is zero-terminated fields, each led by its letter: V severity, C SQLSTATE, M message. */
function farewellIn(parts: readonly Uint8Array[]): Farewell | null {
  const decoder = new TextDecoder();
  const text = parts.map((part) => decoder.decode(part, { stream: true })).join("");
  const fields = new Map(text.split("\0").map((field) => [field.charAt(0), field.slice(1)]));
  const severity = fields.get("V");
  if (severity !== "FATAL" && severity !== "PANIC") return null;
  return { sqlstate: fields.get("C") ?? "", message: fields.get("M") ?? "" };
}
