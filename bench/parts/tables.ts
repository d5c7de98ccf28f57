/** Pure. What admin-lists.ts measured, to look at: bars on a scale of powers, since a key's row and a day's figures lie far apart. */
import { table } from "../../cli/terminal.ts";
import type { WriteCost } from "./write-cost.ts";

export interface Measured {
  readonly name: string;
  readonly rows: number;
  readonly medianMs: number;
  readonly worstMs: number;
  readonly limitMs: number;
  readonly scans: readonly string[];
}

/** The first is the floor. */
export function listsTable(lists: readonly Measured[]): string {
  const floorMs = lists[0]?.medianMs ?? 1;
  const head = ["question", "rows", "median", "worst", "x floor", "1 ms     10 ms    100 ms   1 s", "read by"];
  const body = lists.map(({ name, rows, medianMs, worstMs, limitMs, scans }) => [
    name,
    String(rows).padStart(4),
    milliseconds(medianMs),
    milliseconds(worstMs),
    (medianMs / floorMs).toFixed(1).padStart(7),
    bar(medianMs, limitMs),
    scans.map((scan) => scan.replace(/ webhook_(?:events_)?/, " ")).join(", "),
  ]);
  return table([head, ...body], "");
}

export function writesTable(
  { batch, withMs, withoutMs }: WriteCost,
  sizes: readonly { readonly name: string; readonly megabytes: number }[],
  ofOperators: readonly string[],
): string {
  const indexes = sizes.map(({ name, megabytes }) => [name, `${megabytes.toFixed(0).padStart(5)} MB`, ofOperators.includes(name) ? "operators" : ""]);
  const sentence = `${batch} events recorded and settled: ${withMs.toFixed(1)} ms with the operators' indexes, ${withoutMs.toFixed(1)} ms without: x${(withMs / withoutMs).toFixed(2)}`;
  return `${sentence}\n\n${table(indexes, "")}`;
}

const milliseconds = (ms: number): string => `${ms.toFixed(1).padStart(6)} ms`;

/** Nine marks a power of ten; `!` where it is over its limit. */
function bar(ms: number, limitMs: number): string {
  const marks = Math.max(1, Math.round(9 * Math.log10(Math.max(1, ms))) + 1);
  return `${"█".repeat(marks)}${ms > limitMs ? "!" : ""}`.padEnd(30);
}
