/** Pure. The figures that operators are shown: what they are, which stretch of time they cover, in buckets of which length, and where each row of the ledger's answer belongs. */

export interface StatsBucket {
  readonly atMs: number;
  readonly received: number;
  readonly completed: number;
  readonly skipped: number;
  readonly failed: number;
  /** Arrival to commit of what was completed in it; null: nothing was. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
  readonly p99Ms: number | null;
}

export interface Stats {
  readonly fromMs: number;
  readonly toMs: number;
  readonly bucketMs: number;
  /** `events`: percentiles are exact. `hours`: those of the total, and of a bucket longer than an hour, are of its worst hour, since percentiles cannot be added. */
  readonly percentilesOf: "events" | "hours";
  readonly buckets: readonly StatsBucket[];
  /** Over the whole time. */
  readonly total: Omit<StatsBucket, "atMs">;
  readonly now: {
    readonly pending: number;
    readonly oldestPendingAtMs: number | null;
    readonly owedAfters: number;
    readonly failedAfters: number;
    readonly deadLetters: number;
    /** Messages that wait in the queue; null: it did not say. */
    readonly backlog: number | null;
  };
}

const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What may be asked for; anything else is taken to these bounds. */
export const STATS_HOURS_LIMIT = 90 * 24;
/** Up to here the figures are read from the events themselves. */
const LIVE_HOURS_LIMIT = 24;

export interface StatsWindow {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  readonly bucketMs: number;
  /** `events`: counted now. `hours`: what the cron wrote down of hours that are over. */
  readonly of: "events" | "hours";
}

/** Buckets begin where the clock's do (UTC); the last is the one that `nowMs` lies in, or of hours the last that is over. */
export function statsWindow(hours: number, nowMs: number): StatsWindow {
  const asked = Number.isFinite(hours) ? Math.min(STATS_HOURS_LIMIT, Math.max(1, Math.ceil(hours))) : LIVE_HOURS_LIMIT;
  if (asked <= LIVE_HOURS_LIMIT) {
    const bucketMs = (asked <= 1 ? 1 : asked <= 6 ? 5 : 15) * MINUTE_MS;
    const toMs = floorTo(nowMs, bucketMs) + bucketMs;
    return { fromMs: toMs - asked * HOUR_MS, toMs, bucketMs, of: "events" };
  }
  if (asked <= 30 * 24) {
    const toMs = floorTo(nowMs, HOUR_MS);
    return { fromMs: toMs - asked * HOUR_MS, toMs, bucketMs: HOUR_MS, of: "hours" };
  }
  const toMs = floorTo(nowMs, DAY_MS) + DAY_MS;
  return { fromMs: toMs - Math.ceil(asked / 24) * DAY_MS, toMs, bucketMs: DAY_MS, of: "hours" };
}

/** What the ledger says of a bucket, in one row or in several; `atMs` null: of the whole time. */
export interface StatsRow extends Omit<StatsBucket, "atMs"> {
  readonly atMs: number | null;
}

const NOTHING: Omit<StatsBucket, "atMs"> = { received: 0, completed: 0, skipped: 0, failed: 0, p50Ms: null, p95Ms: null, p99Ms: null };

/** Every bucket of the window, those without rows with zeros. */
export function inBuckets({ fromMs, toMs, bucketMs }: StatsWindow, rows: readonly StatsRow[]): Pick<Stats, "buckets" | "total"> {
  const byTime = new Map<number | null, Omit<StatsBucket, "atMs">>();
  for (const { atMs, ...row } of rows) byTime.set(atMs, sum(byTime.get(atMs) ?? NOTHING, row));
  const buckets = Array.from({ length: Math.round((toMs - fromMs) / bucketMs) }, (_, index) => {
    const atMs = fromMs + index * bucketMs;
    return { atMs, ...(byTime.get(atMs) ?? NOTHING) };
  });
  return { buckets, total: byTime.get(null) ?? NOTHING };
}

/** Of two rows of one bucket at most one has percentiles. */
function sum(left: Omit<StatsBucket, "atMs">, right: Omit<StatsBucket, "atMs">): Omit<StatsBucket, "atMs"> {
  return {
    received: left.received + right.received,
    completed: left.completed + right.completed,
    skipped: left.skipped + right.skipped,
    failed: left.failed + right.failed,
    p50Ms: left.p50Ms ?? right.p50Ms,
    p95Ms: left.p95Ms ?? right.p95Ms,
    p99Ms: left.p99Ms ?? right.p99Ms,
  };
}

/** The last hours are filled again, since what was received or settled in them is committed later. */
const FILLED_AGAIN_HOURS = 2;
/** An event that waited in an outage is recorded hours after its arrival: one older hour a run is filled again, in turn. */
const REVISITED_HOURS = 72;
const RUN_MS = 5 * MINUTE_MS;

/** The hours that a run of the cron fills: from the last filled one on, oldest first, none that is not over. `limit` bounds the catching up. */
export function hoursToFill(firstEventMs: number | null, lastFilledMs: number | null, nowMs: number, limit: number): readonly number[] {
  if (firstEventMs === null) return [];
  const endMs = floorTo(nowMs, HOUR_MS);
  const firstMs = floorTo(firstEventMs, HOUR_MS);
  const fromMs = lastFilledMs === null ? firstMs : Math.min(lastFilledMs, endMs - FILLED_AGAIN_HOURS * HOUR_MS);
  const due: number[] = [];
  for (let hourMs = Math.max(firstMs, fromMs); hourMs < endMs && due.length < limit; hourMs += HOUR_MS) due.push(hourMs);
  const olderMs = endMs - (FILLED_AGAIN_HOURS + 1 + (Math.floor(nowMs / RUN_MS) % REVISITED_HOURS)) * HOUR_MS;
  return lastFilledMs !== null && olderMs >= firstMs && olderMs < fromMs ? [olderMs, ...due] : due;
}

function floorTo(ms: number, stepMs: number): number {
  return Math.floor(ms / stepMs) * stepMs;
}
