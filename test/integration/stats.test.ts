/** Every figure that operators see equals one counted by hand over the same rows. */
import { beforeAll, describe, expect, test } from "vitest";
import { HOUR_MS } from "../../src/core/stats.ts";
import { fillHours } from "../../src/hours.ts";
import { seeStats } from "../../src/operators/see-stats.ts";
import { type Ledger, ledger } from "../support/ledger.ts";

interface Row {
  readonly source: string;
  readonly status: string;
  readonly receivedMs: number;
  readonly settledMs: number | null;
}

let books: Ledger;
const MINUTE = 60_000;
const NOW = Date.now();

/** Rows as the consumer leaves them, of the last 40 days: more of them the nearer to now. */
const rows: readonly Row[] = Array.from({ length: 600 }, (_, index) => {
  const receivedMs = NOW - Math.floor((40 * 24 * HOUR_MS * (index + 0.5) ** 4) / 600 ** 4) - 1_000;
  const status = index % 7 === 0 ? "failed" : index % 11 === 0 ? "skipped" : index % 97 === 1 ? "pending" : "completed";
  // A few seem to end before they came: the database's clock is not the Worker's.
  const latencyMs = index % 50 === 3 ? -20 : (index * 7_919) % 90_000;
  return { source: index % 3 === 0 ? "stripe" : "generic", status, receivedMs, settledMs: status === "pending" ? null : receivedMs + latencyMs };
});

const rank = (sorted: readonly number[], share: number): number | null => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;

/** Of the rows themselves, without any SQL. */
function byHand(of: readonly Row[], fromMs: number, toMs: number) {
  const ended = of.filter((row) => row.settledMs !== null && row.settledMs >= fromMs && row.settledMs < toMs);
  const count = (status: string): number => ended.filter((row) => row.status === status).length;
  const latencies = ended
    .filter((row) => row.status === "completed")
    .map((row) => Math.max(0, (row.settledMs ?? 0) - row.receivedMs))
    .toSorted((left, right) => left - right);
  return {
    received: of.filter((row) => row.receivedMs >= fromMs && row.receivedMs < toMs).length,
    completed: count("completed"),
    skipped: count("skipped"),
    failed: count("failed"),
    p50Ms: rank(latencies, 0.5),
    p95Ms: rank(latencies, 0.95),
    p99Ms: rank(latencies, 0.99),
  };
}

beforeAll(async () => {
  books = await ledger("stats");
  const values = rows.map(
    (row, index) =>
      `('${row.source}', 'evt_${index}', 'test', '${row.status}', 1, to_timestamp(${row.receivedMs} / 1000.0), ${row.settledMs === null ? "null" : `to_timestamp(${row.settledMs} / 1000.0)`}, now(), 'none', 'd', 'application/json', '{}')`,
  );
  await books.run(
    `insert into webhook_events (source, event_id, type, status, opening, received_at, settled_at, sent_at, after, digest, content_type, headers) values ${values.join(", ")}`,
  );
  await books.run("update webhook_events set after = 'failed' where event_id in ('evt_2', 'evt_4') and status = 'completed'");
  while ((await fillHours(books.db(), NOW)) > 4) await Promise.resolve();
});

const see = (hours: number, source: string | null = null) => seeStats({ db: books.db(), env: books.env }, hours, source);

describe("the figures", () => {
  test.each([
    [1, null],
    [6, null],
    [24, null],
    [24, "stripe"],
    [168, null],
    [720, "generic"],
  ] as const)("of the last %i hours, of %s, are those of the rows, bucket by bucket", async (hours, source) => {
    const stats = await see(hours, source);
    const of = rows.filter((row) => source === null || row.source === source);
    for (const { atMs, ...figures } of stats.buckets) expect(figures, new Date(atMs).toISOString()).toEqual(byHand(of, atMs, atMs + stats.bucketMs));
    const { received, completed, skipped, failed } = byHand(of, stats.fromMs, stats.toMs);
    expect(stats.total).toMatchObject({ received, completed, skipped, failed });
    expect(received).toBeGreaterThan(0);
  });

  test("of a day say exactly how long commits took, of a month what they took in its worst hour", async () => {
    const day = await see(24);
    expect(day.percentilesOf).toBe("events");
    expect(day.total).toEqual(byHand(rows, day.fromMs, day.toMs));
    const month = await see(720);
    expect(month.percentilesOf).toBe("hours");
    expect(month.total.p95Ms).toBe(Math.max(...month.buckets.map(({ p95Ms }) => p95Ms ?? 0)));
  });

  test("of 90 days are by day", async () => {
    const stats = await see(2_160);
    expect(stats.buckets).toHaveLength(90);
    // The hour that is not over is not in them yet.
    const overMs = Math.floor(NOW / HOUR_MS) * HOUR_MS;
    for (const bucket of stats.buckets) {
      const { received, completed, skipped, failed } = byHand(rows, bucket.atMs, Math.min(overMs, bucket.atMs + stats.bucketMs));
      expect(bucket).toMatchObject({ received, completed, skipped, failed });
    }
  });

  test("of now are those that SQL counts", async () => {
    const [counted] =
      await books.run(`select count(*) filter (where status = 'pending')::int as pending, count(*) filter (where status = 'failed')::int as failed,
      count(*) filter (where after = 'failed')::int as afters, (extract(epoch from min(received_at) filter (where status = 'pending')) * 1000)::float8 as oldest from webhook_events`);
    const { now } = await see(1);
    expect(now).toMatchObject({
      pending: counted?.["pending"],
      deadLetters: counted?.["failed"],
      failedAfters: counted?.["afters"],
      oldestPendingAtMs: counted?.["oldest"],
      owedAfters: 0,
    });
    expect(now.failedAfters).toBeGreaterThan(0);
    expect(now.backlog).not.toBeUndefined();
  });

  test("are there when the queue says nothing", async () => {
    const EVENTS = { metrics: () => new Promise(() => undefined) } as unknown as Queue;
    const stats = await seeStats({ db: books.db(), env: { ...books.env, EVENTS } }, 1);
    expect(stats.now.backlog).toBeNull();
  });

  test("of a source that there is none of are zeros", async () => {
    const { total, buckets } = await see(1, "no' or 1=1 --");
    expect(total).toEqual({ received: 0, completed: 0, skipped: 0, failed: 0, p50Ms: null, p95Ms: null, p99Ms: null });
    expect(buckets.every((bucket) => bucket.received === 0 && bucket.atMs % MINUTE === 0)).toBe(true);
  });
});
