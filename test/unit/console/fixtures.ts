/** What the pages are shown with: ordinary rooms, and the hostile text that anybody can put into one. */
import type {
  Attempt,
  AuditEntry,
  EventStory,
  EventSummary,
  FailureGroup,
  Operator,
  ReplayRunView,
  SourceView,
} from "../../../src/core/operators.ts";
import type { Stats, StatsBucket } from "../../../src/core/stats.ts";

export const NOW_MS = Date.UTC(2026, 10, 30, 10, 32, 3, 123);
const MINUTE_MS = 60_000;

export const operator: Operator = { name: "Ada Lovelace", via: "session" };

/** Each would do something where it is not text. */
export const HOSTILE = [
  `<script>window.pwned=1</script>`,
  `"><img src=x onerror="window.pwned=1">`,
  `' onfocus='window.pwned=1' autofocus='`,
  `</textarea></title></style></pre><svg onload=window.pwned=1>`,
  `javascript:window.pwned=1`,
  `\u202Etxt.exe`,
  `&lt;b&gt; &amp; {{7*7}} \${7*7}`,
  `a/b?c#d%2Fe%`,
  `../../logout`,
  "x".repeat(512),
] as const;

function bucket(atMs: number, n: number): StatsBucket {
  const wave = 60 + Math.round(45 * Math.sin(n / 9) + 14 * Math.sin(n / 2));
  const failed = n % 17 === 0 ? 4 : n > 70 && n < 76 ? 18 : 0;
  const p50Ms = 380 + Math.round(120 * Math.sin(n / 7));
  return {
    atMs,
    received: wave + failed + 3,
    completed: wave,
    skipped: n % 5 === 0 ? 6 : 1,
    failed,
    p50Ms,
    p95Ms: p50Ms * 4,
    p99Ms: n > 70 && n < 76 ? 48_000 : p50Ms * 11,
  };
}

export function statsOf(buckets: readonly StatsBucket[], bucketMs: number, fromMs: number): Stats {
  const sum = (name: "received" | "completed" | "skipped" | "failed") => buckets.reduce((total, one) => total + one[name], 0);
  const settled = buckets.filter(({ p50Ms }) => p50Ms !== null);
  return {
    fromMs,
    toMs: fromMs + Math.max(1, buckets.length) * bucketMs,
    bucketMs,
    percentilesOf: "events",
    buckets,
    total: {
      received: sum("received"),
      completed: sum("completed"),
      skipped: sum("skipped"),
      failed: sum("failed"),
      p50Ms: settled[0]?.p50Ms ?? null,
      p95Ms: settled[0]?.p95Ms ?? null,
      p99Ms: settled[0]?.p99Ms ?? null,
    },
    now: { pending: 214, oldestPendingAtMs: NOW_MS - 4 * MINUTE_MS, owedAfters: 2, failedAfters: 3, deadLetters: 1_403, backlog: 187 },
  };
}

const BUCKET_MS = 15 * MINUTE_MS;
const FROM_MS = Date.UTC(2026, 10, 29, 10, 45);
export const stats: Stats = statsOf(
  Array.from({ length: 96 }, (_, n) => bucket(FROM_MS + n * BUCKET_MS, n)),
  BUCKET_MS,
  FROM_MS,
);
export const quietStats: Stats = {
  ...statsOf(
    Array.from({ length: 60 }, (_, n) => ({
      atMs: FROM_MS + n * MINUTE_MS,
      received: 0,
      completed: 0,
      skipped: 0,
      failed: 0,
      p50Ms: null,
      p95Ms: null,
      p99Ms: null,
    })),
    MINUTE_MS,
    FROM_MS,
  ),
  now: { pending: 0, oldestPendingAtMs: null, owedAfters: 0, failedAfters: 0, deadLetters: 0, backlog: null },
};

const TITLES = [
  ["stripe", "charge.succeeded", "numeric field overflow", 132, 132],
  ["stripe", "invoice.paid", 'insert or update on table "user_balances" violates foreign key constraint "…"', 911, 0],
  ["github", "push", "order … is not committed yet", 241, 0],
  ["shopify", "orders/create", "handler took longer than … ms", 78, 0],
  ["generic", "credit", 'amount: expected a positive integer, got "…"', 37, 37],
  ["slack", "event_callback", "TypeError: Cannot read properties of undefined (reading '…')", 4, 0],
] as const;
export const groups: readonly FailureGroup[] = TITLES.map(([source, type, title, count, permanent], n) => ({
  fingerprint: `0fa1c2d3e4${String(n).padStart(2, "0")}`,
  source,
  type,
  title,
  count,
  permanent,
  firstMs: NOW_MS - (n + 3) * 5_000_000,
  lastMs: NOW_MS - (n + 1) * 190_000,
  exampleId: `evt_1PqK${n}f2eZvKYlo2C`,
}));

export function summary(values: Partial<EventSummary> = {}): EventSummary {
  return {
    source: "stripe",
    id: "evt_1PqKx2f2eZvKYlo2CxJ0Zk3A",
    type: "payment_intent.succeeded",
    status: "completed",
    reason: null,
    after: "none",
    receivedAtMs: NOW_MS - 90_000,
    settledAtMs: NOW_MS - 89_580,
    attempts: 0,
    totalAttempts: 0,
    replays: 0,
    duplicates: 0,
    mismatches: 0,
    fingerprint: null,
    error: null,
    ...values,
  };
}

export const events: readonly EventSummary[] = Array.from({ length: 24 }, (_, n) => {
  const base = {
    id: `evt_1PqK${String(n * 7919).padStart(6, "0")}eZvKYlo2CxJ0`,
    receivedAtMs: NOW_MS - n * 47_000,
    settledAtMs: NOW_MS - n * 47_000 + 300 + n * 41,
  };
  if (n % 7 === 3)
    return summary({
      ...base,
      status: "failed",
      reason: "permanent",
      attempts: 1,
      totalAttempts: 1,
      error: "numeric field overflow",
      fingerprint: "0fa1c2d3e400",
    });
  if (n % 9 === 5) return summary({ ...base, source: "github", type: "push", status: "skipped", reason: "no_handler", duplicates: 2 });
  if (n === 0)
    return summary({ ...base, status: "pending", settledAtMs: null, totalAttempts: 3, error: "order 4711 is not committed yet", attempts: 3 });
  return summary(n % 4 === 0 ? { ...base, after: "failed", replays: 1, mismatches: 1, duplicates: 12_345 } : base);
});

const attempt = (values: Partial<Attempt> = {}): Attempt => ({
  atMs: NOW_MS - 80_000,
  opening: 1_764_498_000_000,
  class: "permanent",
  phase: "handler",
  sqlstate: "22003",
  constraint: null,
  message: "numeric field overflow",
  stack:
    "PostgresError: numeric field overflow\n    at ErrorResponse (src/store/guard.ts:88:11)\n    at credit (src/handlers/credit-balance.ts:31:20)",
  ...values,
});

export const audit: readonly AuditEntry[] = [
  {
    id: 3,
    atMs: NOW_MS - 50_000,
    actor: "Ada Lovelace",
    action: "replay",
    source: "stripe",
    eventId: "evt_1",
    details: { reason: "the column is wider now" },
  },
  {
    id: 2,
    atMs: NOW_MS - 60_000,
    actor: "grace@example.com",
    action: "replay_group",
    source: null,
    eventId: null,
    details: { replay: "r-1", matched: 132 },
  },
  { id: 1, atMs: NOW_MS - 70_000, actor: "admin token", action: "signed_in", source: null, eventId: null, details: {} },
];

export const story: EventStory = {
  source: "stripe",
  id: "evt_1PqKx2f2eZvKYlo2CxJ0Zk3A",
  type: "charge.succeeded",
  receivedAtMs: NOW_MS - 90_000,
  occurredAtMs: NOW_MS - 91_000,
  digest: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  contentType: "application/json; charset=utf-8",
  headers: { "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)", "x-request-id": "req_8sX1z" },
  bytesLength: 2_311,
  status: "failed",
  reason: "permanent",
  opening: 1_764_498_000_000,
  attempts: 1,
  totalAttempts: 2,
  starts: 0,
  startedAtMs: null,
  replays: 1,
  duplicates: 3,
  mismatches: 1,
  suspectedReplayOf: "evt_1PqKx2older",
  settledAtMs: NOW_MS - 40_000,
  sentAtMs: NOW_MS - 90_000,
  after: "none",
  afterAttempts: 0,
  hasBody: true,
  lastError: "numeric field overflow",
  fingerprint: "0fa1c2d3e400",
  build: "3c1f7a1e-2b4c",
  attemptLog: [attempt(), attempt({ atMs: NOW_MS - 40_100, class: "permanent" })],
  audit: audit.slice(0, 1),
  claim: {
    status: "failed",
    sinceMs: NOW_MS - 39_000,
    opening: 1_764_498_000_000,
    hasBytes: false,
    refusals: 0,
    watchdogs: 0,
    duplicates: 3,
    mismatches: 1,
  },
  payload: {
    text: '{"id":"evt_1PqKx2f2eZvKYlo2CxJ0Zk3A","type":"charge.succeeded","data":{"object":{"amount":99999999999999,"currency":"eur"}}}',
    pretty: JSON.stringify(
      { id: "evt_1PqKx2f2eZvKYlo2CxJ0Zk3A", type: "charge.succeeded", data: { object: { amount: 99_999_999_999_999, currency: "eur" } } },
      null,
      2,
    ),
    isCut: false,
  },
};

export const run: ReplayRunView = {
  id: "r-20261130-1",
  filter: { source: "stripe", fingerprint: "0fa1c2d3e400" },
  withPermanent: true,
  ratePerSecond: 10,
  rowLimit: 1_000,
  reason: "the column is wider now",
  actor: "Ada Lovelace",
  startedAtMs: NOW_MS - 8_000,
  finishedAtMs: null,
  status: "running",
  matched: 1_132,
  willReplay: 1_000,
  replayed: 412,
  lastError: null,
  outcomes: { pending: 21, completed: 380, skipped: 4, failed: 7 },
};

export const sources: readonly SourceView[] = [
  {
    source: "stripe",
    title: "Stripe",
    url: "https://hooks.example.com/webhooks/stripe",
    docsUrl: "https://docs.stripe.com/webhooks",
    secret: "set, with next",
    hints: [],
    lastReceivedAtMs: NOW_MS - 3_000,
    lastDay: { received: 4_211, completed: 4_190, skipped: 3, failed: 18 },
  },
  {
    source: "github",
    title: "GitHub",
    url: "https://hooks.example.com/webhooks/github",
    docsUrl: null,
    secret: "missing",
    hints: ["GITHUB_WEBHOOK_SECRET is not set: npx wrangler secret put GITHUB_WEBHOOK_SECRET"],
    lastReceivedAtMs: null,
    lastDay: { received: 0, completed: 0, skipped: 0, failed: 0 },
  },
];

/** The story with one hostile text in every place that outsiders, or operators, write to. */
export function hostileStory(text: string): EventStory {
  return {
    ...story,
    id: text,
    type: text,
    contentType: text,
    headers: { [text]: text },
    reason: text,
    suspectedReplayOf: text,
    lastError: text,
    build: text,
    attemptLog: [attempt({ message: text, stack: text, constraint: text })],
    audit: [{ id: 1, atMs: NOW_MS, actor: text, action: "discard", source: "stripe", eventId: text, details: { reason: text } }],
    payload: { text, pretty: JSON.stringify({ [text]: text }, null, 2), isCut: true },
  };
}
