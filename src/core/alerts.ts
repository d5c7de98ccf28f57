/** Pure. What an operator is to be told of, out of what the ledger and the queue say, and in which words. Other people's text in it is only ever text. */
import { ALERTS_TOLD_AT_ONCE, HABIT_EVENTS } from "./limits.ts";

/** `key`: which of its kind, so that each is opened and closed once. */
export type Alert =
  | {
      readonly kind: "new_failure";
      readonly key: string;
      readonly source: string;
      readonly type: string;
      readonly title: string;
      readonly count: number;
    }
  | { readonly kind: "backlog"; readonly key: "ledger"; readonly waiting: number; readonly sinceMs: number }
  | { readonly kind: "backlog"; readonly key: "queue"; readonly waiting: number; readonly sinceMs: number }
  | { readonly kind: "source_silent"; readonly key: string; readonly sinceMs: number; readonly weekAgo: number; readonly twoWeeksAgo: number };

export type AlertKind = Alert["kind"];

export interface FailingKind {
  readonly fingerprint: string;
  readonly source: string;
  readonly type: string;
  readonly title: string;
  readonly count: number;
}

export interface Waiting {
  /** Events that have been open for longer than the limit, and that no attempt has been counted for. */
  readonly late: number;
  /** When the first of them was opened; null: there is none. */
  readonly lateSinceMs: number | null;
  /** Rows that are open for work. */
  readonly open: number;
  /** When the ledger last heard of a new event; null: never. */
  readonly newestMs: number | null;
}

/** A source's last event, and how many came in the stretch since then one and two weeks earlier (counted up to HABIT_EVENTS). */
export interface SourceHabit {
  readonly source: string;
  readonly lastMs: number;
  readonly weekAgo: number;
  readonly twoWeeksAgo: number;
}

export function failureAlerts(kinds: readonly FailingKind[]): readonly Alert[] {
  return kinds.map(({ fingerprint, ...rest }) => ({ kind: "new_failure", key: fingerprint, ...rest }));
}

/** `queued`: messages that wait in the queue. Without rows for them nothing takes them: the ledger is empty of what is late. */
export function backlogAlerts(waiting: Waiting, queued: number, limitMs: number, nowMs: number): readonly Alert[] {
  const { late, lateSinceMs, open, newestMs } = waiting;
  const alerts: Alert[] = [];
  if (late > 0 && lateSinceMs !== null) alerts.push({ kind: "backlog", key: "ledger", waiting: late, sinceMs: lateSinceMs });
  const isUnread = queued > open && newestMs !== null && newestMs < nowMs - limitMs;
  if (isUnread) alerts.push({ kind: "backlog", key: "queue", waiting: queued, sinceMs: newestMs });
  return alerts;
}

export function silenceAlerts(habits: readonly SourceHabit[]): readonly Alert[] {
  return habits
    .filter(({ weekAgo, twoWeeksAgo }) => weekAgo >= HABIT_EVENTS && twoWeeksAgo >= HABIT_EVENTS)
    .map(({ source, lastMs, weekAgo, twoWeeksAgo }) => ({ kind: "source_silent", key: source, sinceMs: lastMs, weekAgo, twoWeeksAgo }));
}

/** One sentence, for a page, a log line and a message alike. */
export function alertText(alert: Alert): string {
  switch (alert.kind) {
    case "new_failure":
      return `${alert.count} × "${line(alert.title)}" of ${line(alert.source)}, ${line(alert.type)}`;
    case "backlog":
      return alert.key === "ledger"
        ? `${alert.waiting} ${alert.waiting === 1 ? "event waits" : "events wait"} for a first attempt, the oldest since ${utc(alert.sinceMs)}`
        : `${alert.waiting} messages wait in the queue, and the ledger has heard of nothing new since ${utc(alert.sinceMs)}`;
    case "source_silent":
      return `nothing from ${line(alert.key)} since ${utc(alert.sinceMs)}; the same stretch brought ${HABIT_EVENTS} events or more in each of the two weeks before`;
  }
}

const OPENED: Readonly<Record<AlertKind, string>> = { new_failure: "New failure", backlog: "Backlog", source_silent: "Silent" };

export interface Telling {
  readonly alert: Alert;
  readonly isOver: boolean;
  /** Whether anybody was told that it began. */
  readonly isKnown: boolean;
}

/**
 * The message for a Slack-compatible receiver (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks): one, however many there are.
 * `consoleUrl`: where /admin is; null: not known.
 */
export function message(tellings: readonly Telling[], consoleUrl: string | null): { readonly text: string } {
  const lines = tellings.slice(0, ALERTS_TOLD_AT_ONCE).map(({ alert, isOver, isKnown }) => {
    const what = `${OPENED[alert.kind]}: ${alertText(alert)}`;
    if (!isOver) return `${what}.${seenAt(alert, consoleUrl)}`;
    return isKnown ? `Recovered. ${what}: over.` : `${what}: over already.`;
  });
  const others = tellings.length - lines.length;
  if (others > 0) lines.push(`And ${others} more${consoleUrl === null ? "" : `: ${consoleUrl}`}.`);
  return { text: `Holdfast\n${lines.join("\n")}`.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;") };
}

function seenAt(alert: Alert, consoleUrl: string | null): string {
  if (consoleUrl === null) return "";
  switch (alert.kind) {
    case "new_failure":
      return ` ${consoleUrl}/events?fingerprint=${encodeURIComponent(alert.key)}`;
    case "backlog":
      return ` ${consoleUrl}`;
    case "source_silent":
      return ` ${consoleUrl}/sources`;
  }
}

const LINE_CHARACTERS = 200;
/** Control characters and what turns the direction of writing; `@` and `#` would call people, `*_~` and backticks would format. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const CALLING = /[@#*_~`|]/g;

function line(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(UNPRINTABLE, " ")
    .replace(CALLING, (found) => `${found}\u2060`);
  return plain.length > LINE_CHARACTERS ? `${plain.slice(0, LINE_CHARACTERS).toWellFormed()}…` : plain;
}

function utc(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
