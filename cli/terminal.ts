/** How the commands speak: sentences to stderr under one name, results to stdout. */
import { plain } from "./log/plain.ts";

/** Wrong arguments, as shells report them; 1 is for a command that was understood and failed. */
export const EXIT_USAGE = 2;

/** Safe with whatever an instance answered: of what a terminal would obey, line breaks alone stay. */
export function say(text: string): void {
  console.error(`holdfast: ${text.split("\n").map(plain).join("\n")}`);
}

/** Left-aligned columns, two spaces apart. Pure. */
export function table(rows: readonly (readonly string[])[], indent = "  "): string {
  const widths: number[] = [];
  for (const row of rows) row.forEach((cell, at) => (widths[at] = Math.max(widths[at] ?? 0, cell.length)));
  return rows.map((row) => indent + row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join("  ")).join("\n");
}
