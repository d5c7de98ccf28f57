/** A bar on stderr, on a terminal alone: whoever reads a log or a pipe gets the table at the end. */

const WIDTH = 30;
const EVERY_MS = 80;

export class Progress {
  #lastMs = 0;
  #shown = false;

  show(done: number, total: number, text: string): void {
    const nowMs = Date.now();
    if (!process.stderr.isTTY || (nowMs - this.#lastMs < EVERY_MS && done < total)) return;
    this.#lastMs = nowMs;
    this.#shown = true;
    process.stderr.write(`\r\u001b[K${bar(done, total)} ${text}`);
  }

  clear(): void {
    if (this.#shown) process.stderr.write("\r\u001b[K");
    this.#shown = false;
  }
}

/** Pure. */
export function bar(done: number, total: number): string {
  const filled = total === 0 ? WIDTH : Math.floor((WIDTH * done) / total);
  return `[${"█".repeat(filled)}${"·".repeat(WIDTH - filled)}] ${done}/${total}`;
}
