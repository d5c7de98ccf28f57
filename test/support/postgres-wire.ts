/** As much of the Postgres wire protocol as the fault proxy has to read and to say (postgresql.org/docs/current/protocol-message-formats.html). */
import { Buffer } from "node:buffer";

export type ClientMessage = { readonly bytes: Buffer } & (
  | { readonly kind: "parse"; readonly name: string; readonly text: string }
  /** A Bind of a prepared statement, or a simple Query. */
  | { readonly kind: "execute"; readonly text: string }
  | { readonly kind: "other" }
);

const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;

/** Cuts a client's bytes into messages, across chunks, and knows which text a statement's name stands for. */
export class ClientMessages {
  readonly #texts = new Map<string, string>();
  #rest: Buffer = Buffer.alloc(0);
  #started = false;

  *read(bytes: Buffer | string): Generator<ClientMessage> {
    this.#rest = Buffer.concat([this.#rest, Buffer.from(bytes)]);
    for (;;) {
      // The start-up message has no type.
      const typeBytes = this.#started ? TYPE_BYTES : 0;
      if (this.#rest.length < typeBytes + LENGTH_BYTES) return;
      const length = typeBytes + this.#rest.readUInt32BE(typeBytes);
      if (this.#rest.length < length) return;
      const message = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      if (this.#started) yield this.#decoded(message);
      else yield { kind: "other", bytes: message };
      this.#started = true;
    }
  }

  #decoded(bytes: Buffer): ClientMessage {
    const fields = bytes
      .subarray(TYPE_BYTES + LENGTH_BYTES)
      .toString("utf8")
      .split("\0", 2);
    const [first = "", second = ""] = fields;
    switch (String.fromCharCode(bytes[0] ?? 0)) {
      case "P":
        this.#texts.set(first, second);
        return { kind: "parse", name: first, text: second, bytes };
      case "B":
        return { kind: "execute", text: this.#texts.get(second) ?? "", bytes };
      case "Q":
        return { kind: "execute", text: first, bytes };
      default:
        return { kind: "other", bytes };
    }
  }
}

/** A FATAL ErrorResponse, as the server sends it before it closes. */
export function errorResponse(sqlstate: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlstate}\0M${message}\0\0`);
  const head = Buffer.alloc(TYPE_BYTES + LENGTH_BYTES);
  head.write("E");
  head.writeUInt32BE(fields.length + LENGTH_BYTES, TYPE_BYTES);
  return Buffer.concat([head, fields]);
}
