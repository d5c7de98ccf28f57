/**
 * One client, one connection, one kind of loss. Refusal, loss and silence become a single ConnectionLost, and postgres.js never reconnects: it is not
 * told that a socket closed ("close" is what makes it reconnect for ever, PLATFORM 11, A), it is told "error", now and at every later write.
 */
import { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";
import { ServerMessages } from "./server-messages.ts";

/** The connection is gone, or never came. `sqlstate` is what the server gave as its reason in its last message, where it did. */
export class ConnectionLost extends Error {
  override readonly name: string = "ConnectionLost";
  readonly code = "CONNECTION_LOST";
  readonly sqlstate: string | null;
  /** Taken, so that postgres.js does not hang one query's statement and parameters on an error that all of them get. */
  readonly query = null;

  constructor(message: string, sqlstate: string | null = null, options?: ErrorOptions) {
    super(message, options);
    this.sqlstate = sqlstate;
  }
}

/** The connection went while COMMIT was under way: whether it happened is in the database, and only there. */
export class CommitUnknown extends ConnectionLost {
  override readonly name = "CommitUnknown";

  constructor(lost: ConnectionLost) {
    super(`the outcome of the commit is unknown: ${lost.message}`, lost.sqlstate, { cause: lost });
  }
}

export interface LineLimits {
  /** How long the server may be silent before it has first been ready for a query. */
  readonly connectMs: number;
  /** How long it may be silent while it owes an answer. Above every statement timeout: only a dead line is silent for longer. */
  readonly silenceMs: number;
}

/** What the rest of store/ knows of the connection. */
export interface Line {
  lost(): ConnectionLost | null;
  /** Resolves, never rejects, when the connection is lost; never, if it is not. */
  readonly whenLost: Promise<ConnectionLost>;
  /** Drops the connection now, unannounced: the server rolls back what was open. */
  abandon(reason: string): void;
}

/** A factory for postgres.js's `socket` option that connects once, and the line that it connects. */
export function singleUseLine(connect: () => Socket, limits: LineLimits): { readonly line: Line; readonly socket: () => EventEmitter } {
  const stream = new LineStream(limits);
  let used = false;
  return {
    line: stream,
    socket: () => {
      if (used) throw new ConnectionLost("this client has used up its one connection");
      used = true;
      stream.open(connect);
      return stream;
    },
  };
}

/** The stream that postgres.js reads and writes: the part of net.Socket that it uses. */
class LineStream extends EventEmitter implements Line {
  readyState = "open";
  readonly whenLost: Promise<ConnectionLost>;
  readonly #limits: LineLimits;
  readonly #tellLost: (lost: ConnectionLost) => void;
  #raw: Socket | null = null;
  #writer: WritableStreamDefaultWriter<Uint8Array> | null = null;
  #lost: ConnectionLost | null = null;
  #silence: ReturnType<typeof setTimeout> | null = null;
  readonly #server = new ServerMessages();

  constructor(limits: LineLimits) {
    super();
    this.#limits = limits;
    const { promise, resolve } = Promise.withResolvers<ConnectionLost>();
    this.whenLost = promise;
    this.#tellLost = resolve;
    // An "error" that nobody listens to is thrown by the emitter, and a throw in a timer fails the whole batch (PLATFORM 11.5).
    this.on("error", () => {});
  }

  lost(): ConnectionLost | null {
    return this.#lost;
  }

  open(connect: () => Socket): void {
    if (this.#lost !== null) return;
    try {
      const raw = connect();
      this.#raw = raw;
      raw.opened.catch((cause: unknown) => this.#lose("could not connect", cause));
      // The reader reports the end, after the server's last words; nothing says that `closed` waits for them.
      raw.closed.catch(() => {});
      const writer: WritableStreamDefaultWriter<Uint8Array> = raw.writable.getWriter();
      this.#writer = writer;
      writer.closed.catch(() => {});
      writer.ready.catch(() => {});
      void this.#read(raw.readable.getReader());
    } catch (cause) {
      this.#lose("could not connect", cause);
    }
  }

  write(data: Uint8Array, done?: () => void): boolean {
    const lost = this.#lost;
    if (lost !== null) {
      queueMicrotask(() => this.emit("error", lost));
      return true;
    }
    this.#server.asked();
    this.#awaitAnswer();
    this.#writer?.write(data).then(
      () => done?.(),
      (cause: unknown) => this.#lose("could not send", cause),
    );
    return true;
  }

  abandon(reason: string): void {
    this.#lose(`abandoned: ${reason}`);
  }

  /** postgres.js calls `end` and `destroy` when it gives up on the connection. */
  end(): void {
    this.#lose("ended by the client");
  }

  destroy(): void {
    this.#lose("destroyed by the client");
  }

  /** Only COPY asks for these. */
  pause(): void {}
  resume(): void {}

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    reader.closed.catch(() => {});
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        this.#heard(value);
      }
      this.#lose("closed by the server");
    } catch (cause) {
      this.#lose("broken", cause);
    }
  }

  #heard(chunk: Uint8Array): void {
    if (this.#lost !== null) return;
    this.#server.read(chunk);
    this.#awaitAnswer();
    this.emit("data", Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
  }

  /** Starts the clock anew if an answer is owed; else stops it. */
  #awaitAnswer(): void {
    this.#stopWaiting();
    if (!this.#server.owesAnswer) return;
    const limitMs = this.#server.wasEverReady ? this.#limits.silenceMs : this.#limits.connectMs;
    this.#silence = setTimeout(() => this.#lose(`no answer within ${limitMs} ms`), limitMs);
  }

  #stopWaiting(): void {
    if (this.#silence !== null) clearTimeout(this.#silence);
    this.#silence = null;
  }

  #lose(what: string, cause?: unknown): void {
    if (this.#lost !== null) return;
    const { farewell } = this.#server;
    const message = farewell === null ? what : `${what}: ${farewell.message}`;
    const lost = new ConnectionLost(message, farewell?.sqlstate ?? null, cause === undefined ? undefined : { cause });
    this.#lost = lost;
    this.readyState = "closed";
    this.#stopWaiting();
    this.#raw?.close().catch(() => {});
    this.#tellLost(lost);
    this.emit("error", lost);
  }
}
