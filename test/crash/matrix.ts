/**
 * A cell: events are sent, the fault happens at its point, once; then the world is whole again, providers send again what was not acknowledged, and
 * the ledger is held against what was. Throw: the call fails. Hang: it never returns, and what cannot end without it is ended as the platform would.
 */
import { expect } from "vitest";
import { until } from "../../cli/processes.ts";
import { DELIVERY_PREFIX } from "../../src/providers/identify.ts";
import { isAcked, type Sent, sendTo, type Stack } from "../e2e/stack.ts";
import type { FaultAction, FaultController } from "../support/fault-controller.ts";
import type { NamedCell, Sending } from "./cells.ts";

/** Beyond every deadline of ours that a hang is to run into (TIMINGS=fast): a claim's 2.5 s and a batch; a consumer has none before the platform's. */
const HUNG_MS = 4_500;
const HUNG_CONSUMER_MS = 1_000;
/** Lease, watchdog, a suspect's lease, the sweep: the longest of them, and a machine that is busy. */
const SETTLED_MS = 60_000;
const EVERY_MS = 50;
const SWEEP_EVERY_MS = 1_000;

interface Event {
  /** As the provider names it, and as the ledger does. */
  readonly id: string;
  readonly ledgerId: string;
  readonly source: "generic" | "batches";
  readonly payload: object;
  /** Ids under which it is in the ledger and has an effect. */
  readonly effects: readonly string[];
}

let cells = 0;

function eventsOf(sending: Sending, userId: string): Event[] {
  const one = (index: number, more: object = {}): Event => {
    const id = `${userId}_${index}`;
    return { id, ledgerId: id, source: "generic", payload: { id, type: "credit", userId, amount: index + 1, ...more }, effects: [id] };
  };
  switch (sending) {
    case "one":
    case "twins":
      return [one(0)];
    case "five":
      return [0, 1, 2, 3, 4].map((index) => one(index));
    case "large":
      return [one(0, { text: "x".repeat(200_000) })];
    case "counted":
    case "after":
      return [one(0, { type: sending })];
    case "split": {
      const id = `${userId}_delivery`;
      const items = [0, 1, 2].map((index) => one(index));
      return [
        {
          id,
          ledgerId: `${DELIVERY_PREFIX}${id}`,
          source: "batches",
          payload: { events: items.map(({ payload }) => payload) },
          effects: items.map(({ id }) => id),
        },
      ];
    }
  }
}

export async function runCell(stack: Stack, controller: FaultController, cell: NamedCell, action: FaultAction): Promise<void> {
  const stopSweeping = cell.point.startsWith("sweep.") ? sweepOften(stack) : () => {};
  try {
    await faultThenWhole(stack, controller, cell, action);
  } finally {
    stopSweeping();
  }
}

/** The sweep's ages are minutes even when time is fast: here every row grows old at once, and the cron comes all the time. */
function sweepOften(stack: Stack): () => void {
  const turn = async (): Promise<void> => {
    await stack.sql`update webhook_events set sent_at = now() - interval '1 hour' where status = 'pending'`;
    const answer = await fetch(`${stack.url}/cdn-cgi/local/scheduled`, { signal: AbortSignal.timeout(SWEEP_EVERY_MS) });
    await answer.body?.cancel();
  };
  // While the runtime is down it fails: the next one comes.
  const timer = setInterval(() => void turn().catch(() => {}), SWEEP_EVERY_MS);
  return () => clearInterval(timer);
}

async function faultThenWhole(stack: Stack, controller: FaultController, cell: NamedCell, action: FaultAction): Promise<void> {
  const userId = `cell${++cells}_${cell.point.replace(".", "_")}_${action}`;
  const events = eventsOf(cell.sending, userId);
  controller.arm({ point: cell.point, action, ways: cell.ways, queue: cell.queue });
  const copies = cell.sending === "twins" ? 2 : 1;
  const deliveries = events.flatMap((event) => Array.from({ length: copies }, () => deliver(stack, event)));
  expect(await until(() => controller.fired > 0, SETTLED_MS, EVERY_MS), `nobody came by ${cell.point}`).toBe(true);
  const hungMs = /^(?:ingest|claim)\./.test(cell.point) ? HUNG_MS : HUNG_CONSUMER_MS;
  if (action === "hang" && !(await until(async () => (await unsettled(stack, events)).length === 0, hungMs, EVERY_MS))) stack.killRuntime();
  controller.clear();
  const sent = await Promise.all(deliveries);
  expect(controller.fired).toBe(1);
  // What the fault cannot reach is acknowledged all the same: promise 4.
  if (!cell.point.startsWith("ingest.") && !(cell.point.startsWith("claim.") && action === "kill"))
    expect(sent.filter((one) => !isAcked(one))).toEqual([]);
  const acked = events.filter(({ id }) => sent.some((one) => one.id === id && isAcked(one)));

  // First without the provider's help: what was acknowledged settles.
  await settled(stack, acked);
  // A provider sends again until it is acknowledged, and sometimes once more.
  const refused = async () => (await Promise.all(events.map((event) => deliver(stack, event)))).filter((one) => !isAcked(one));
  await expect.poll(refused, { timeout: SETTLED_MS }).toEqual([]);
  await settled(stack, events);
  const claimed = async () => new Set((await Promise.all(events.map((event) => deliver(stack, event)))).map(({ outcome }) => outcome));
  await expect.poll(claimed, { timeout: SETTLED_MS, message: "the claims know" }).toEqual(new Set(["done"]));
  await once(stack, events, userId, cell.sending === "counted" ? 1 : 0);
  if (cell.sending === "after") for (const { id } of events) expect(controller.effects.get(id), "its after ran").toBeGreaterThan(0);
}

const deliver = (stack: Stack, { id, source, payload }: Event): Promise<Sent> => sendTo(stack, source, id, payload);

async function settled(stack: Stack, events: readonly Event[]): Promise<void> {
  await expect.poll(() => unsettled(stack, events), { timeout: SETTLED_MS, interval: EVERY_MS }).toEqual([]);
}

interface Row {
  readonly event_id: string;
  readonly status: string;
  readonly after: string;
  readonly total_attempts: number;
}

const rowsOf = (stack: Stack, ids: readonly string[]): Promise<Row[]> =>
  stack.sql<Row[]>`select event_id, status, after, total_attempts from webhook_events where event_id in ${stack.sql(ids)}`;
const idsOf = (events: readonly Event[]): string[] => events.flatMap(({ ledgerId, effects }) => [...new Set([ledgerId, ...effects])]);

/** Ids without their final word. */
async function unsettled(stack: Stack, events: readonly Event[]): Promise<string[]> {
  const ids = idsOf(events);
  if (ids.length === 0) return [];
  const rows = await rowsOf(stack, ids);
  const done = new Set(rows.filter(({ status, after }) => status === "completed" && after !== "owed").map(({ event_id }) => event_id));
  return ids.filter((id) => !done.has(id));
}

/** Each effect is there once, no attempt was burnt, and nothing is there that nobody sent. */
async function once(stack: Stack, events: readonly Event[], userId: string, attempts: number): Promise<void> {
  const references = events.flatMap(({ source, effects }) => effects.map((id) => `${source}:${id}`));
  const entries = await stack.sql<{ reference: string; amount: number }[]>`
    select reference, amount::int as amount from test_entries where user_id = ${userId} order by reference`;
  expect(entries.map(({ reference }) => reference)).toEqual(references.toSorted());
  const [sum] = await stack.sql<{ balance: number }[]>`select balance::int as balance from test_balances where user_id = ${userId}`;
  expect(sum?.balance).toBe(entries.reduce((total, { amount }) => total + amount, 0));
  const rows = await rowsOf(stack, idsOf(events));
  expect(new Set(rows.map(({ status, total_attempts }) => `${status} ${total_attempts}`))).toEqual(new Set([`completed ${attempts}`]));
}
