/** One JSON line per fact. The fields are an allow-list: nothing that is not named here can reach a log (DESIGN 3.7). */

export interface LogFields {
  readonly source?: string;
  readonly eventId?: string;
  /** Another event that this one has to do with. */
  readonly otherEventId?: string;
  readonly type?: string;
  readonly outcome?: string;
  readonly reason?: string;
  /** One sentence for whoever reads the line at night. */
  readonly hint?: string;
  /** First 12 hex digits of the body's SHA-256. */
  readonly digest?: string;
  readonly otherDigest?: string;
  readonly secret?: "current" | "next";
  readonly status?: number;
  readonly trigger?: string;
  readonly opening?: number;
  readonly attempt?: number;
  readonly class?: string;
  readonly phase?: string;
  readonly sqlstate?: string;
  readonly constraint?: string;
  readonly error?: string;
  readonly stack?: string;
  readonly delayMs?: number;
  readonly refusals?: number;
  readonly bytes?: number;
  readonly duplicates?: number;
  readonly direct?: boolean;
  readonly suspect?: boolean;
  readonly messages?: number;
  readonly settled?: number;
  readonly givenBack?: number;
  readonly colo?: string;
  /** The provider's own words on its retries, by header name. */
  readonly retry?: Readonly<Record<string, string>>;
  /** Milliseconds per stage. */
  readonly ms?: Readonly<Record<string, number>>;
  readonly counts?: Readonly<Record<string, number>>;
  readonly problem?: string;
  /** Who ordered it: the name given at sign-in, or an Access identity's address. */
  readonly operator?: string;
}

export type LogLevel = "info" | "warn" | "error";

/** `event` names the fact; its names are in docs/operations.md. */
export function log(level: LogLevel, event: string, fields: LogFields): void {
  const line = JSON.stringify({ level, event, at: new Date().toISOString(), ...fields });
  if (level === "error") console.error(line);
  else if (level === "warn") console.warn(line);
  else console.log(line);
}

export const digestPrefix = (digest: string): string => digest.slice(0, 12);

/** What a parser quotes of a text that is not JSON, JSON itself (to the line's end: it may be cut off), and who logs in at a URL. */
const QUOTED = [
  [/".*"(?=(?:\.\.\.)? is not valid JSON)/, '"..."'],
  [/[{[]\s*["{[].*/, "{...}"],
  [/(?<=\w:\/\/)\S*@/, "...@"],
] as const;

/**
 * An error's first line: what follows (a statement, a stack) is in the ledger, and too long for a line that somebody reads. Of a data error (class 22)
 * Postgres quotes the value, and handlers put payloads into their messages: both stay out of the log.
 */
export function brief(message: string, sqlstate: string | null = null): string {
  // Bounded before it is searched: a message can be as long as a payload.
  const first = message.slice(0, 2_000).split("\n", 1)[0] ?? "";
  const line = QUOTED.reduce((text, [pattern, instead]) => text.replace(pattern, instead), first).slice(0, 400);
  return sqlstate !== null && sqlstate.startsWith("22") ? line.replaceAll(/"[^"]*"/g, '"..."') : line;
}

/** A stack's frames without its message, which may quote a payload. */
export const frames = (stack: string): string =>
  stack
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .join("\n");

/** Causes are followed this far: what lies deepest says what happened. */
const CAUSES_LIMIT = 8;

/** Any thrown value for a log line: never Drizzle's own message, which holds the statement's parameters, and with them payloads. */
export function errorText(error: unknown): string {
  let inner = error;
  for (let depth = 0; depth < CAUSES_LIMIT && inner instanceof Error && inner.cause instanceof Error; depth++) inner = inner.cause;
  if (!(inner instanceof Error)) return brief(String(inner));
  const code = "code" in inner && typeof inner.code === "string" ? inner.code : null;
  return `${inner.name}: ${brief(inner.message, code)}`;
}
