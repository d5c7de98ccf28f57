/** Follows a file that somebody else writes, from its beginning: through its truncation, its replacement, and times when it is not there. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";

const LOOK_EVERY_MS = 150;
const CHUNK_BYTES = 256 * 1_024;

/** Ends with the signal. What was there at the beginning has been taken once `caughtUp` is called. */
export async function follow(path: string, signal: AbortSignal, take: (line: string) => void, caughtUp: () => void): Promise<void> {
  const file = new Followed(path, take);
  file.read();
  caughtUp();
  while (!signal.aborted) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_EVERY_MS);
      signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
    });
    file.read();
  }
}

class Followed {
  readonly #path: string;
  readonly #take: (line: string) => void;
  #inode = 0;
  #offset = 0;
  #rest = "";
  #decoder = new StringDecoder("utf8");

  constructor(path: string, take: (line: string) => void) {
    this.#path = path;
    this.#take = take;
  }

  read(): void {
    let file: number;
    try {
      file = openSync(this.#path, "r");
    } catch {
      return;
    }
    try {
      const { ino, size } = fstatSync(file);
      if (ino !== this.#inode || size < this.#offset) {
        this.#inode = ino;
        this.#offset = 0;
        this.#rest = "";
        this.#decoder = new StringDecoder("utf8");
      }
      const chunk = Buffer.alloc(CHUNK_BYTES);
      for (let bytes = readSync(file, chunk, 0, CHUNK_BYTES, this.#offset); bytes > 0; bytes = readSync(file, chunk, 0, CHUNK_BYTES, this.#offset)) {
        this.#offset += bytes;
        const lines = `${this.#rest}${this.#decoder.write(chunk.subarray(0, bytes))}`.split("\n");
        this.#rest = lines.pop() ?? "";
        for (const line of lines) this.#take(line);
      }
    } finally {
      closeSync(file);
    }
  }
}
