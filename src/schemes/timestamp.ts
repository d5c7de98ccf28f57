/** When a delivery was signed: read, write, and the window around now. The text is kept as sent, because that is what was signed. */
import { placeOf, type Reader } from "../core/delivery.ts";
import type { Rejection } from "../core/reasons.ts";
import { failed, ok, type Result } from "../core/result.ts";

export interface TimestampRule {
  /** `signature`: beside the signatures, in their own text. */
  readonly at: "signature" | Reader;
  /** Whole seconds or milliseconds since 1970 (`epoch`: whichever it is, told by its length), or ISO 8601 / RFC 3339 with a zone. */
  readonly unit: "s" | "ms" | "epoch" | "iso";
}

export interface SentTime {
  readonly text: string;
  readonly sentAtMs: number;
}

const SHAPES = { s: "Unix seconds", ms: "Unix milliseconds", epoch: "Unix seconds or milliseconds", iso: "ISO 8601 with a zone" } as const;

/** `texts`: all that stand at the place. */
export function readTime(rule: TimestampRule, texts: readonly string[], place: string): Result<SentTime, Rejection> {
  const [text = ""] = texts;
  if (text === "") return failed({ reason: "timestamp_missing", place });
  const sentAtMs = timeMs(text, rule.unit);
  // Two different times for one signature: whichever we took, the sender could have meant the other.
  if (Number.isNaN(sentAtMs) || texts.some((other) => other !== text)) {
    return failed({ reason: "timestamp_malformed", place, expected: SHAPES[rule.unit] });
  }
  return ok({ text, sentAtMs });
}

export function timePlace(rule: TimestampRule, signatureAt: readonly Reader[]): string {
  if (rule.at !== "signature") return placeOf(rule.at);
  const [first] = signatureAt;
  return first === undefined ? "the signature" : placeOf(first);
}

export function writeTime({ unit }: TimestampRule, ms: number): string {
  if (unit === "iso") return new Date(ms).toISOString();
  return String(unit === "s" ? Math.floor(ms / 1_000) : ms);
}

/** null: within the window. Written so that a NaN refuses. */
export function outsideWindow(sentAtMs: number, nowMs: number, toleranceMs: number): Rejection | null {
  const ageMs = nowMs - sentAtMs;
  if (!(ageMs <= toleranceMs)) return { reason: "timestamp_too_old", sentAtMs, nowMs, toleranceMs };
  if (!(ageMs >= -toleranceMs)) return { reason: "timestamp_in_future", sentAtMs, nowMs, toleranceMs };
  return null;
}

/** NaN: not a time. With a zone only: without one, a date means another instant on every machine. */
export function timeMs(text: string, unit: TimestampRule["unit"]): number {
  if (unit === "iso") return ISO.test(text) ? Date.parse(text) : Number.NaN;
  if (!/^[0-9]{1,15}$/.test(text)) return Number.NaN;
  const isSeconds = unit === "s" || (unit === "epoch" && text.length < MILLISECONDS_DIGITS);
  return Number(text) * (isSeconds ? 1_000 : 1);
}

/** Seconds have eleven digits until the year 5138, and milliseconds have had twelve since 1973. */
const MILLISECONDS_DIGITS = 12;

const ISO = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:?\d{2})$/;
