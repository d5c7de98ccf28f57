/** What `npm run dev` has printed, for `npm run tail -- --local`: the Worker's facts as JSON, everything else as it came. */
import { closeSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

export const logFileIn = (dataDir: string): string => join(dataDir, "dev.log");

/** Then it becomes `dev.log.1`, and a new one begins. */
const LIMIT_BYTES = 32 * 1_024 * 1_024;

export class LogFile {
  readonly #path: string;
  #file: number;
  #bytes = 0;

  /** Begins anew with each run: a follower sees by its inode that it did. */
  constructor(dataDir: string) {
    this.#path = logFileIn(dataDir);
    rmSync(this.#path, { force: true });
    this.#file = this.#open();
  }

  write(line: string): void {
    this.#bytes += writeSync(this.#file, `${line}\n`);
    if (this.#bytes < LIMIT_BYTES) return;
    closeSync(this.#file);
    renameSync(this.#path, `${this.#path}.1`);
    this.#file = this.#open();
    this.#bytes = 0;
  }

  /** It names events: for its owner alone. */
  #open(): number {
    return openSync(this.#path, "a", 0o600);
  }
}
