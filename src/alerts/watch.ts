/** The cron's last work: sees what an operator should know, writes down what is new and what is over, tells it once. Never throws, holds nothing up. */
import type { Config } from "../config.ts";
import { type Alert, type AlertKind, alertText, backlogAlerts, failureAlerts, message, silenceAlerts } from "../core/alerts.ts";
import { errorTitle } from "../core/fingerprint.ts";
import { ALERT_KINDS_LIMIT, HABIT_EVENTS, RETENTION_CHUNK_ROWS } from "../core/limits.ts";
import { errorText, log } from "../log.ts";
import type { Tx } from "../store/guard.ts";
import { reading } from "../store/reading.ts";
import { dropClosedAlerts } from "../store/statements/list-alerts.ts";
import { noteAlerts } from "../store/statements/note-alerts.ts";
import { readFailing } from "../store/statements/read-failing.ts";
import { readHabits } from "../store/statements/read-habits.ts";
import { readWaiting } from "../store/statements/read-waiting.ts";
import { giveBackUntold, markTold, takeUntold } from "../store/statements/tell-alerts.ts";
import { post } from "./post.ts";

/** `queued`: messages in the queue; null: it did not say, and then nothing is said of it either. */
export async function watch(db: Tx, config: Config, sources: readonly string[], queued: number | null): Promise<void> {
  try {
    const { kinds, seen } = await look(db, config, sources, queued);
    for (const { details, isOver } of await noteAlerts(db, kinds, seen))
      log(isOver ? "info" : "warn", "alert", { outcome: isOver ? "closed" : "opened", reason: details.kind, hint: alertText(details) });
    await dropClosedAlerts(db, config.timings.alertKeptMs, RETENTION_CHUNK_ROWS);
    await tell(db, config);
  } catch (error) {
    log("error", "alerts_failed", { error: errorText(error) });
  }
}

async function look(db: Tx, { timings, alertBacklogMs }: Config, sources: readonly string[], queued: number | null) {
  const nowMs = Date.now();
  return reading(db, timings, async (tx) => {
    const failing = await readFailing(tx, ALERT_KINDS_LIMIT);
    const habits = await readHabits(tx, sources, nowMs - timings.sourceSilentMs, HABIT_EVENTS);
    const waiting = await readWaiting(tx, nowMs - alertBacklogMs);
    const seen: readonly Alert[] = [
      ...failureAlerts(failing.map(({ error, ...kind }) => ({ ...kind, title: errorTitle(error ?? "") }))),
      ...silenceAlerts(habits),
      ...backlogAlerts(waiting, queued ?? 0, alertBacklogMs, nowMs),
    ];
    const kinds: readonly AlertKind[] = ["new_failure", "source_silent", ...(queued === null ? [] : (["backlog"] as const))];
    return { kinds, seen };
  });
}

/** Outside any transaction: the network is slow, and the alerts are leased meanwhile. */
async function tell(db: Tx, config: Config): Promise<void> {
  const { alertWebhookUrl: url, timings, publicBaseUrl } = config;
  if (url === null) return;
  const untold = await takeUntold(db, timings.alertLeaseMs, timings.alertNewsMs);
  if (untold.length === 0) return;
  const tellings = untold.map(({ details, isOver, isKnown }) => ({ alert: details, isOver, isKnown }));
  const problem = await post(url, message(tellings, consoleOf(publicBaseUrl)), timings);
  if (problem === null) {
    await markTold(db, untold);
    log("info", "alerts_told", { messages: untold.length });
    return;
  }
  await giveBackUntold(db, untold);
  log("error", "alerts_refused", { messages: untold.length, problem, hint: "they are told again by the next run; look at ALERT_WEBHOOK_URL" });
}

const consoleOf = (publicBaseUrl: string | null): string | null => (publicBaseUrl === null ? null : `${publicBaseUrl}/admin`);

/** Without a ledger nothing can be remembered: told again every quarter of an hour while it lasts. */
const REPEATED_MS = 15 * 60_000;
const CRON_MS = 5 * 60_000;

export async function tellLedgerAway(config: Config, scheduledMs: number): Promise<void> {
  const { alertWebhookUrl: url, timings } = config;
  if (url === null || Math.floor(scheduledMs / CRON_MS) % (REPEATED_MS / CRON_MS) !== 0) return;
  const text =
    "Holdfast\nThe ledger does not answer. What providers deliver is kept, and handled once it is back. This is said again every 15 minutes while it lasts.";
  const problem = await post(url, { text }, timings);
  if (problem !== null) log("error", "alerts_refused", { messages: 1, problem, hint: "look at ALERT_WEBHOOK_URL" });
}
