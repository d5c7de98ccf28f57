/** Pure. The Worker's facts (src/log.ts), each read as one line: `time mark event source id type outcome status name=value`. */
import type { styleText } from "node:util";
import { plain } from "./plain.ts";

export interface Fact {
  readonly event: string;
  readonly [field: string]: unknown;
}

export type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;
export const unpainted: Paint = (_format, text) => text;

export function factOf(text: string): Fact | null {
  if (!text.startsWith("{")) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && "event" in value && typeof value.event === "string" ? (value as Fact) : null;
  } catch {
    return null;
  }
}

/** Said first and without their names, in this order; everything else follows as name=value. */
const LEADING = ["source", "eventId", "type", "outcome", "status"] as const;
const GOOD = /^(?:queued|requeued|done|completed|sent)$/;

export function readable(fact: Fact, paint: Paint = unpainted): string {
  const { level, event, at, ...fields } = fact;
  const tone = level === "error" ? "red" : level === "warn" ? "yellow" : null;
  const toned = (text: string): string => (tone === null ? text : paint(tone, text));
  const time = typeof at === "string" ? paint("dim", plain(at.slice(11, 19))) : "";
  const mark = toned(level === "error" ? "✗" : level === "warn" ? "!" : " ");
  const leading = LEADING.filter((name) => fields[name] !== undefined).map((name) => {
    const text = worded(fields[name]);
    if (name === "eventId") return paint("cyan", text);
    if (name !== "outcome") return text;
    return GOOD.test(text) && tone === null ? paint("green", text) : toned(text);
  });
  const others = Object.entries(fields)
    .filter(([name, value]) => !LEADING.some((one) => one === name) && value !== undefined && name !== "stack")
    .map(([name, value]) => `${paint("dim", `${plain(name)}=`)}${name === "error" ? toned(worded(value)) : worded(value)}`);
  const stack = typeof fields["stack"] === "string" ? fields["stack"].split("\n").map((line) => `\n      ${paint("dim", plain(line))}`) : [];
  return [time, mark, paint("bold", toned(plain(event))), ...leading, ...others].filter((part) => part !== "").join(" ") + stack.join("");
}

/** Numbers by name as `body:1,total:5`; anything else that is no text as JSON. */
function worded(value: unknown): string {
  if (typeof value === "string") return plain(value);
  const entries = typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  if (entries.length > 0 && entries.every(([, one]) => typeof one === "number"))
    return plain(entries.map(([name, one]) => `${name}:${one}`).join(","));
  return plain(JSON.stringify(value));
}
