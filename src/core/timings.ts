/** Pure. Every duration, in one record that each decision is handed (DESIGN 3.8). */

interface Timing {
  readonly ms: number;
  /** What TIMINGS=fast divides it by, so that a lease, a watchdog or a dead letter can be seen in seconds. */
  readonly fastDivisor: number;
  readonly why: string;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The table behind `Timings`. Docs and tests read it; decisions get the plain record of milliseconds. */
export const TIMING_TABLE = {
  toleranceMs: {
    ms: 300 * SECOND,
    fastDivisor: 1,
    why: "how far a signed timestamp may be off, in both directions; what the providers' own libraries use",
  },
  bodyReadMs: { ms: 30 * SECOND, fastDivisor: 1, why: "a sender that drips its body gives up long before" },
  keyFetchMs: { ms: 3 * SECOND, fastDivisor: 1, why: "a provider's key server, with the provider waiting for our answer" },
  keyKeptMs: { ms: 1 * HOUR, fastDivisor: 1, why: "published keys are rotated over days; a key set is asked again sooner when it lacks a key" },
  keyStaleMs: { ms: 24 * HOUR, fastDivisor: 1, why: "a key server that is down stops nobody whose key was seen within a day" },
  keyRefusedMs: { ms: 1 * MINUTE, fastDivisor: 1, why: "a forged request that names a missing key is not asked after again and again" },
  claimRpcMs: {
    ms: 2 * SECOND,
    fastDivisor: 1,
    why: "far above a healthy call, first access included",
  },
  claimBudgetMs: {
    ms: 2.5 * SECOND,
    fastDivisor: 1,
    why: "for both tries of a delivery: Slack and others give an answer 3 s, and the direct path needs the rest",
  },
  directSendMs: { ms: 2 * SECOND, fastDivisor: 1, why: "for the ledger and for the queue each, with a provider waiting" },
  relaySendMs: { ms: 10 * SECOND, fastDivisor: 5, why: "a send that hangs must not hold the relay" },
  leaseMs: { ms: 30 * SECOND, fastDivisor: 10, why: "covers claim to settled on a quiet day, so that the alarm usually finds nothing to do" },
  staleEnqueuedMs: { ms: 15 * MINUTE, fastDivisor: 180, why: "a provider that asks again after this long is worth a fresh message" },
  watchdogMs: { ms: 1 * HOUR, fastDivisor: 360, why: "the queue is durable; a short watchdog would multiply load in a backlog" },
  watchdogCapMs: { ms: 24 * HOUR, fastDivisor: 2_880, why: "below the queue's own 14 days by far" },
  resendMs: { ms: 1 * SECOND, fastDivisor: 1, why: "first wait after a refused send; doubles" },
  resendCapMs: { ms: 5 * MINUTE, fastDivisor: 60, why: "an outage's end is noticed within minutes" },
  resendSlowAfterMs: { ms: 1 * HOUR, fastDivisor: 60, why: "after this long the outage is an incident and each try costs rows" },
  resendSlowMs: { ms: 1 * HOUR, fastDivisor: 360, why: "it never gives up" },
  alarmOverdueMs: { ms: 1 * MINUTE, fastDivisor: 6, why: "an alarm that is later than this was lost" },
  brokenAlarmMs: {
    ms: 30 * SECOND,
    fastDivisor: 10,
    why: "an alarm that failed on its own state comes back, and not in a hurry: storage has to recover",
  },
  completedKeptMs: { ms: 7 * DAY, fastDivisor: 1_440, why: "longer than providers retry; the ledger remembers for good" },
  failedKeptMs: { ms: 30 * DAY, fastDivisor: 1_440, why: "dead letters are looked at within weeks" },
  handlerMs: { ms: 20 * SECOND, fastDivisor: 10, why: "a handler is SQL; below every database timeout" },
  afterMs: { ms: 20 * SECOND, fastDivisor: 10, why: "an outside call has a time limit too" },
  statementTimeoutMs: {
    ms: 22 * SECOND,
    fastDivisor: 6,
    why: "above the handler's deadline; below lock_timeout: the last statement of an abandoned handler is over before its failure's write stops waiting for the row",
  },
  lockTimeoutMs: { ms: 25 * SECOND, fastDivisor: 6, why: "above statement_timeout: whoever holds the row, abandoned or not, ends within it" },
  idleInTransactionMs: { ms: 40 * SECOND, fastDivisor: 6, why: "above the handler's deadline: the server's own net for a vanished Worker" },
  silenceMs: { ms: 45 * SECOND, fastDivisor: 5, why: "above statement_timeout: only a dead line is silent for longer" },
  operatorReadMs: {
    ms: 5 * SECOND,
    fastDivisor: 1,
    why: "lists answer within 100 ms at a million rows; a question that takes this long is too wide, and the ledger has other work",
  },
  connectTimeoutMs: { ms: 10 * SECOND, fastDivisor: 2, why: "Hyperdrive's own limit is 15 s" },
  transactionBudgetMs: { ms: 30 * SECOND, fastDivisor: 10, why: "a batch commits what it has before it has held its locks for too long" },
  invocationBudgetMs: { ms: 10 * MINUTE, fastDivisor: 10, why: "a consumer may run 15 minutes; the rest goes back before that" },
  suspectLeaseMs: { ms: 50 * SECOND, fastDivisor: 10, why: "the handler's deadline and 30 s: copies of a suspect do not count each other" },
  transientDelayMs: { ms: 5 * SECOND, fastDivisor: 5, why: "first wait when an outage gives a message back; doubles, with jitter" },
  transientDelayCapMs: { ms: 15 * MINUTE, fastDivisor: 180, why: "a recovered database is used again within minutes" },
  handlerContentionMs: { ms: 24 * HOUR, fastDivisor: 1_440, why: "how long a handler's own 57014 or 55P03 passes as an outage" },
  deadLetterDelayMs: { ms: 15 * MINUTE, fastDivisor: 180, why: "message retries are used up: the outage is long" },
  sweepAgeMs: { ms: 1 * HOUR, fastDivisor: 180, why: "younger rows have a message on its way" },
  sweepAgeCapMs: { ms: 12 * HOUR, fastDivisor: 720, why: "the longest wait between two messages for one row" },
  replayPeriodMs: { ms: 1 * SECOND, fastDivisor: 1, why: "a group replay opens its rate's worth of events this often" },
  replayRetryMs: { ms: 2 * SECOND, fastDivisor: 2, why: "first wait of a group replay whose step did not go through; doubles" },
  replayRetryCapMs: { ms: 5 * MINUTE, fastDivisor: 60, why: "an outage's end is noticed within minutes" },
  replayWindowMs: {
    ms: 7 * DAY,
    fastDivisor: 1,
    why: "the same bytes under another id are taken for a replay: as long as the claim remembers, and providers retry no longer",
  },
  handshakeKeptMs: { ms: 24 * HOUR, fastDivisor: 1, why: "whoever asked the provider for it reads it the same day; it is a secret at rest" },
  handshakeHeldMs: {
    ms: 1 * HOUR,
    fastDivisor: 1,
    why: "a secret that was acknowledged is there until whoever set the webhook up has read it, however many others are posted",
  },
  alertPostMs: {
    ms: 5 * SECOND,
    fastDivisor: 1,
    why: "the alerts' receiver gets one short request; the cron has other work, and tells again in five minutes",
  },
  alertLeaseMs: { ms: 1 * MINUTE, fastDivisor: 1, why: "above the time for a request: two runs of the cron do not both tell of an alert" },
  alertNewsMs: { ms: 24 * HOUR, fastDivisor: 1, why: "what was over before that is no news: the receiver was away, or is set only now" },
  alertKeptMs: { ms: 30 * DAY, fastDivisor: 1, why: "as long as dead letters are looked at" },
  sourceSilentMs: { ms: 30 * MINUTE, fastDivisor: 1, why: "a habit is not kept to the minute: a nightly batch may be late" },
  readyKeptMs: { ms: 10 * SECOND, fastDivisor: 1, why: "whether the Worker is ready is asked by anybody, as often as they like" },
  readyLimitMs: { ms: 4 * SECOND, fastDivisor: 1, why: "a probe waits seconds; half of it for the ledger, the rest for those who wait for one look" },
  sessionMs: { ms: 12 * HOUR, fastDivisor: 1, why: "a shift: whoever signs in to the console is not asked again in the middle of an incident" },
  ledgerBytesKeptMs: { ms: 30 * DAY, fastDivisor: 1_440, why: "bytes of settled events; the rows stay" },
} as const satisfies Record<string, Timing>;

/** Waits between counted attempts: 8 attempts over about 12 hours. TIMINGS=fast divides them by 3,600, at least 1 s. */
const ATTEMPT_DELAYS_MS = [10 * SECOND, 1 * MINUTE, 5 * MINUTE, 20 * MINUTE, 1 * HOUR, 3 * HOUR, 7.5 * HOUR] as const;
const ATTEMPT_DELAYS_FAST_DIVISOR = 3_600;

export type Timings = { readonly [Name in keyof typeof TIMING_TABLE]: number } & {
  /** Wait before attempt n + 2, by attempts already counted minus one; the last one repeats. */
  readonly attemptDelaysMs: readonly number[];
};

/** Durations in milliseconds, real ones or divided by the table's divisors. */
export function timings(speed: "real" | "fast"): Timings {
  const scaled = Object.entries(TIMING_TABLE).map(([name, t]) => [name, speed === "fast" ? Math.ceil(t.ms / t.fastDivisor) : t.ms]);
  const attemptDelaysMs = ATTEMPT_DELAYS_MS.map((ms) => (speed === "fast" ? Math.max(SECOND, Math.ceil(ms / ATTEMPT_DELAYS_FAST_DIVISOR)) : ms));
  return { ...(Object.fromEntries(scaled) as Record<keyof typeof TIMING_TABLE, number>), attemptDelaysMs };
}
