/** How things went, and how they stand: the figures of the overview. */
import { backlogOf } from "../backlog.ts";
import type { Stats } from "../core/stats.ts";
import { inBuckets, statsWindow } from "../core/stats.ts";
import { ledgerHealth } from "../store/statements/health.ts";
import { readHours } from "../store/statements/read-hours.ts";
import { readStats } from "../store/statements/read-stats.ts";
import type { Desk } from "./desk.ts";

/** The last 1 to 24 hours are counted from the events, up to 90 days are read from the hours that the cron wrote down. `source` null: all; `now` is of all. */
export async function seeStats({ db, env }: Pick<Desk, "db" | "env">, hours: number, source: string | null = null): Promise<Stats> {
  const nowMs = Date.now();
  const window = statsWindow(hours, nowMs);
  const backlog = backlogOf(env);
  const rows = window.of === "events" ? await readStats(db, window, source) : await readHours(db, window, source);
  const { pending, oldestPendingMs, owedAfters, failedAfters, deadLetters } = await ledgerHealth(db);
  return {
    fromMs: window.fromMs,
    toMs: window.toMs,
    bucketMs: window.bucketMs,
    percentilesOf: window.of,
    ...inBuckets(window, rows),
    now: { pending, oldestPendingAtMs: oldestPendingMs, owedAfters, failedAfters, deadLetters, backlog: await backlog },
  };
}
