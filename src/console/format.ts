/** Pure. Figures in words: thousands apart, durations in units that one can feel, times in UTC (the script turns them into the viewer's zone). */

const NUMBER = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** 1,234,567 */
export function numberText(value: number): string {
  return NUMBER.format(value);
}

/** `1 event`, `2,000 events` */
export function countText(value: number, one: string, many = `${one}s`): string {
  return `${numberText(value)} ${value === 1 ? one : many}`;
}

/** `420 ms`, `3.2 s`, `42 s`, `4 min`, `3 h 20 min`, `5 days` */
export function durationText(ms: number): string {
  const positive = Math.max(0, ms);
  if (positive < SECOND_MS) return `${numberText(Math.round(positive))} ms`;
  if (positive < 9.95 * SECOND_MS) return `${numberText(Math.round(positive / 100) / 10)} s`;
  if (positive < 59.5 * SECOND_MS) return `${numberText(Math.round(positive / SECOND_MS))} s`;
  if (positive < 59.5 * MINUTE_MS) return `${numberText(Math.round(positive / MINUTE_MS))} min`;
  const minutes = Math.round(positive / MINUTE_MS);
  if (positive < 48 * HOUR_MS) return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return countText(Math.round(positive / DAY_MS), "day");
}

/** `3 min ago`, `in 40 s`, `just now` */
export function agoText(atMs: number, nowMs: number): string {
  const agoMs = nowMs - atMs;
  if (Math.abs(agoMs) < SECOND_MS) return "just now";
  return agoMs > 0 ? `${durationText(agoMs)} ago` : `in ${durationText(-agoMs)}`;
}

/** `512 bytes`, `12.3 kB`, `1.2 MB` */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return countText(bytes, "byte");
  return bytes < 1_000_000 ? `${numberText(Math.round(bytes / 100) / 10)} kB` : `${numberText(Math.round(bytes / 100_000) / 10)} MB`;
}

/** `2026-11-30 10:32:03`, in UTC. The ledger keeps years that Date does not: they are shown as the number. */
export function utcText(atMs: number): string {
  return (
    isoText(atMs)
      ?.replace("T", " ")
      .replace(/\.\d+Z$/, "") ?? String(atMs)
  );
}

/** `2026-11-30T10:32:03.123Z`; null: no such date. */
export function isoText(atMs: number): string | null {
  const date = new Date(atMs);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

/** `10:32` */
export function clockText(atMs: number): string {
  return isoText(atMs)?.slice(11, 16) ?? "";
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `30 Nov` */
export function dayText(atMs: number): string {
  const date = new Date(atMs);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ""}`;
}

/**
 * Text from outside, so that what is there is what one sees: control characters would vanish, and those that turn the direction of writing could make an
 * id or a payload read as another one. Tab and line feed stay.
 */
export function visibleText(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/g, named);
}

function named(character: string): string {
  const code = character.charCodeAt(0);
  if (character === "\r") return "";
  if (code < 0x20) return String.fromCharCode(0x24_00 + code);
  return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}
