/** The whole stack under load, killed in the middle of it, and without its database: what was acknowledged has its effect, once. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres } from "../../cli/postgres.ts";
import { type Sent, inFlight, isAcked, send, type Stack, startStack } from "./stack.ts";

const EVENTS = Number(process.env["HOLDFAST_E2E_EVENTS"] ?? 300);
const OUTAGE_MS = Number(process.env["HOLDFAST_E2E_OUTAGE_MS"] ?? 20_000);

const deliveries = (stack: Stack, userId: string, events: number, each: number) => {
  const all = Array.from({ length: events * each }, (_, index) => {
    const event = Math.floor(index / each);
    return () => send(stack, `${userId}_${event}`, { type: "balance.credit", userId, amount: event + 1 });
  });
  // Copies of one event are spread, so that they arrive while the first is pending and long after.
  return all.toSorted(() => Math.random() - 0.5);
};
const sum = (events: number) => (events * (events + 1)) / 2;

async function ledgerOf(stack: Stack, userId: string): Promise<Record<string, number>> {
  const rows = await stack.sql<
    { status: string; n: number }[]
  >`select status, count(*)::int as n from webhook_events where event_id like ${`${userId}\\_%`} group by status`;
  return Object.fromEntries(rows.map((row) => [row.status, row.n]));
}
async function balanceOf(stack: Stack, userId: string): Promise<number> {
  const rows = await stack.sql<{ balance: number }[]>`select balance::int as balance from test_balances where user_id = ${userId}`;
  return rows[0]?.balance ?? 0;
}

describe("a stack of its own", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ main: "test/e2e/worker.ts" });
  }, 120_000);
  afterAll(() => stack.end(), 60_000);

  test("every event of a load is acknowledged and has one effect", async () => {
    const sent = await inFlight(deliveries(stack, "load", EVENTS, 4), 32);
    expect(sent.filter((one) => !isAcked(one))).toEqual([]);
    expect(sent.filter((one) => one.outcome === "queued")).toHaveLength(EVENTS);
    await expect.poll(() => ledgerOf(stack, "load"), { timeout: 60_000 }).toEqual({ completed: EVENTS });
    expect(await balanceOf(stack, "load")).toBe(sum(EVENTS));
  }, 300_000);

  test("fifty simultaneous deliveries of one event: one queued, one effect", async () => {
    const sent = await inFlight(
      Array.from({ length: 50 }, () => () => send(stack, "fifty_0", { type: "balance.credit", userId: "fifty", amount: 9 })),
      50,
    );
    expect(sent.filter((one) => one.outcome === "queued")).toHaveLength(1);
    expect(sent.every((one) => one.outcome === "queued" || one.outcome === "pending" || one.outcome === "done")).toBe(true);
    await expect.poll(() => balanceOf(stack, "fifty"), { timeout: 30_000 }).toBe(9);
  }, 120_000);

  test("killed with SIGKILL in the middle of a load and started again: every acknowledged event has its effect, once", async () => {
    const jobs = deliveries(stack, "killed", EVENTS, 2);
    const sent: Sent[] = [];
    const load = inFlight(
      jobs.map((job) => async () => void sent.push(await job())),
      16,
    );
    await expect.poll(() => sent.filter(isAcked).length, { timeout: 120_000, interval: 20 }).toBeGreaterThan(EVENTS / 2);
    await stack.killAll();
    await load;
    await stack.start();
    const acked = new Set(sent.filter(isAcked).map((one) => one.id));
    expect(sent.filter((one) => one.outcome === "no answer").length).toBeGreaterThan(0);
    const missing = async () => {
      const rows = await stack.sql<
        { event_id: string }[]
      >`select event_id from webhook_events where status = 'completed' and event_id like ${"killed\\_%"}`;
      const done = new Set(rows.map((row) => row.event_id));
      return [...acked].filter((id) => !done.has(id)).length;
    };
    await expect.poll(missing, { timeout: 120_000 }).toBe(0);
    const [entries] = await stack.sql<
      { n: number; total: number }[]
    >`select count(*)::int as n, sum(amount)::int as total from test_entries where user_id = 'killed'`;
    expect(await balanceOf(stack, "killed")).toBe(entries?.total);
    // Delivered again, what was never answered is taken like anything else, and the rest is not done twice.
    const again = await inFlight(deliveries(stack, "killed", EVENTS, 1), 16);
    expect(again.every(isAcked)).toBe(true);
    await expect.poll(() => ledgerOf(stack, "killed"), { timeout: 60_000 }).toEqual({ completed: EVENTS });
    expect(await balanceOf(stack, "killed")).toBe(sum(EVENTS));
  }, 420_000);
});

describe("Postgres stopped under load", () => {
  test("no answer but 2xx, everything completes after its return, no attempt counted, no dead letter", async () => {
    const folder = mkdtempSync(join(tmpdir(), "holdfast-e2e-pg-"));
    let database = await startPostgres({ dataDir: join(folder, "postgres") });
    const { port } = database;
    const stack = await startStack({ main: "test/e2e/worker.ts", databaseUrl: database.url });
    try {
      const sent: Sent[] = [];
      const untilMs = Date.now() + OUTAGE_MS;
      let event = 0;
      await inFlight(deliveries(stack, "before", 10, 2), 8);
      await database.stop();
      while (Date.now() < untilMs) {
        const pair = [event + 1, event + 2, event + 1, event + 2];
        event += 2;
        const jobs = pair.map((n) => () => send(stack, `out_${n}`, { type: "balance.credit", userId: "out", amount: 1 }));
        sent.push(...(await inFlight(jobs, 4)));
      }
      expect(sent.filter((one) => !isAcked(one))).toEqual([]);
      database = await startPostgres({ dataDir: join(folder, "postgres"), port });
      await expect.poll(() => ledgerOf(stack, "out").catch(() => ({})), { timeout: 300_000 }).toEqual({ completed: event });
      expect(await balanceOf(stack, "out")).toBe(event);
      const [counted] = await stack.sql<
        { attempts: number; failed: number }[]
      >`select sum(total_attempts)::int as attempts, count(*) filter (where status = 'failed')::int as failed from webhook_events`;
      expect(counted).toEqual({ attempts: 0, failed: 0 });
    } finally {
      await stack.end();
      await database.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 600_000);
});
