/** Pure. What a line of wrangler's output is: one of the Worker's facts, news of the runtime, or noise. */
import { stripVTControlCharacters } from "node:util";
import { type Fact, factOf } from "../log/fact.ts";

/** The Worker's own line, or null for one of wrangler's. */
export function parseFact(line: string): Fact | null {
  // wrangler puts a coloured mark before what a Worker writes with console.warn and console.error.
  const text = withoutColour(line)
    .replace(/^[▲✘] \[(?:WARNING|ERROR)\] (?=\{)/u, "")
    .trim();
  return factOf(text);
}

/** The health of an idle ledger, four times a minute, is nothing to read. Its JSON line is still there for tools. */
export function isQuiet(fact: Fact): boolean {
  const { counts } = fact;
  return fact.event === "health" && typeof counts === "object" && counts !== null && Object.values(counts).every((count) => count === 0);
}

export type RuntimeNews = "listening" | "address_taken" | "reloaded" | "restarted" | "lost";

/** What wrangler's own lines say about the runtime under the Worker; its words, as of the version that package.json pins. */
export function runtimeNews(coloured: string): RuntimeNews | null {
  const line = withoutColour(coloured);
  if (/\bReady on http/.test(line)) return "listening";
  if (/\bAddress already in use\b/.test(line)) return "address_taken";
  if (line.includes("Reloading local server")) return "reloaded";
  if (line.includes("Workers runtime crashed unexpectedly and is being restarted")) return "restarted";
  if (line.includes("Workers runtime failed to restart")) return "lost";
  return null;
}

/** What the banner, the Worker's own log or this program says better, or does itself (the cron is fired, the telemetry is off). */
const NOISE = [
  /^\[wrangler:info\] (GET|POST|PUT|DELETE|HEAD|OPTIONS|PATCH|Ready on)\b/,
  /^\[wrangler:info\] QUEUE\b|^QUEUE\b/,
  /^⎔ (Starting|Shutting down|Connection status|Local server updated)/,
  /^(⛅|─+|╭|│|╰|🪵)/u,
  /^Using (vars|secrets) defined in\b/,
  /^(Your Worker has access|Binding +Resource|env\.)/,
  /Your types might be out of date/,
  /^Cloudflare collects anonymous telemetry\b/,
  /^Found a non-empty CLOUDFLARE_HYPERDRIVE_LOCAL_CONNECTION_STRING/,
  /Scheduled Workers are not automatically triggered|^To manually trigger a scheduled event|^curl "http.*\/scheduled"|cron-triggers\/#test-cron-triggers-locally/,
];

export function isNoise(line: string): boolean {
  const text = withoutColour(line).trim();
  return text === "" || NOISE.some((pattern) => pattern.test(text));
}

const withoutColour = (line: string): string => stripVTControlCharacters(line);

/**
 * Events that the local queue lost, because it is in memory, and that the claims send again: counted by event over a short time,
 * and said once. A slow event's ordinary re-send in that time counts too.
 */
export class ResendCount {
  readonly #keys = new Set<string>();
  #openUntilMs: number | null = null;
  readonly #windowMs: number;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  open(nowMs: number): void {
    this.#keys.clear();
    this.#openUntilMs = nowMs + this.#windowMs;
  }

  /** What was seen so far stays: the time begins now. */
  extend(nowMs: number): void {
    if (this.#openUntilMs !== null) this.#openUntilMs = nowMs + this.#windowMs;
  }

  see(fact: Fact): void {
    if (this.#openUntilMs === null || fact.event !== "relay" || fact["trigger"] !== "alarm" || fact["outcome"] === "refused") return;
    this.#keys.add(JSON.stringify([fact["source"], fact["eventId"]]));
  }

  /** The count, once the window has passed; null before, and after it was given. */
  take(nowMs: number): number | null {
    if (this.#openUntilMs === null || nowMs < this.#openUntilMs) return null;
    this.#openUntilMs = null;
    return this.#keys.size;
  }
}

export function resendSentence(count: number, what: "it stopped" | "the reload"): string {
  const when = what === "it stopped" ? "when it stopped" : "at the reload";
  if (count === 0) return `no event was left on the (in-memory) local queue ${when}`;
  return `re-sending ${count} event${count === 1 ? "" : "s"} that ${count === 1 ? "was" : "were"} on the (in-memory) local queue ${when}`;
}
