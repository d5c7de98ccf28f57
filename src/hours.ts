/** The cron's part of the figures: hours that are over are written down, once for good and twice while late commits may come. */
import { HOURS_PER_RUN } from "./core/limits.ts";
import { hoursToFill } from "./core/stats.ts";
import type { Tx } from "./store/guard.ts";
import { fillHour, readHoursState } from "./store/statements/fill-hours.ts";

/** How many were filled. */
export async function fillHours(db: Tx, nowMs: number): Promise<number> {
  const { firstEventMs, lastFilledMs } = await readHoursState(db);
  const hours = hoursToFill(firstEventMs, lastFilledMs, nowMs, HOURS_PER_RUN);
  for (const hourMs of hours) await fillHour(db, hourMs);
  return hours.length;
}
