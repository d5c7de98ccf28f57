/** Whole lines out of a child's output, however it arrives in pieces. */
import type { Readable } from "node:stream";

export function eachLine(stream: Readable | null, take: (line: string) => void): void {
  if (stream === null) return;
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = `${rest}${chunk}`.split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  });
  stream.once("end", () => {
    if (rest !== "") take(rest);
  });
}
