/** Handlers that hang, overstay or kill the runtime, on the real stack: they cost nobody else their event, and end as dead letters. */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inFlight, isAcked, send, type Stack, startStack } from "./stack.ts";

let stack: Stack;
let listener: Server;
/** What `after` called, and how it is answered. */
const calls: string[] = [];
let answer: (response: ServerResponse) => void = (response) => response.end();

beforeAll(async () => {
  listener = createServer((request, response) => {
    calls.push(request.url ?? "");
    answer(response);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  stack = await startStack({ main: "test/e2e/worker.ts", vars: [`LISTENER:http://127.0.0.1:${(listener.address() as AddressInfo).port}`] });
}, 120_000);
afterAll(async () => {
  await stack.end();
  listener.closeAllConnections();
  listener.close();
}, 60_000);

const row = async (id: string) =>
  (
    await stack.sql<
      { status: string; reason: string | null; after: string; starts: number; attempts: number }[]
    >`select status, reason, after, starts, attempts from webhook_events where event_id = ${id}`
  )[0];
const balanceOf = async (userId: string) =>
  (await stack.sql<{ balance: number }[]>`select balance::int as balance from test_balances where user_id = ${userId}`)[0]?.balance ?? 0;

test("a handler that kills the runtime ends as a dead letter, and its mates complete", async () => {
  const mates = Array.from({ length: 8 }, (_, index) => () => send(stack, `mate_${index}`, { type: "credit", userId: "mates" }));
  const sent = await inFlight([...mates.slice(0, 4), () => send(stack, "killer", { type: "memory" }), ...mates.slice(4)], 9);
  expect(sent.every(isAcked)).toBe(true);
  await expect.poll(() => row("killer"), { timeout: 240_000, interval: 500 }).toMatchObject({ status: "failed", reason: "killed" });
  await expect.poll(() => balanceOf("mates"), { timeout: 60_000 }).toBe(8);
}, 330_000);

test("handlers that never settle, or go on after their deadline, end as dead letters and write nothing", async () => {
  const sent = await inFlight(
    [
      () => send(stack, "hang_1", { type: "hang" }),
      () => send(stack, "late_1", { type: "late" }),
      ...Array.from({ length: 4 }, (_, index) => () => send(stack, `fine_${index}`, { type: "credit", userId: "fine" })),
    ],
    6,
  );
  expect(sent.every(isAcked)).toBe(true);
  await expect.poll(() => balanceOf("fine"), { timeout: 60_000 }).toBe(4);
  for (const id of ["hang_1", "late_1"])
    await expect.poll(() => row(id), { timeout: 150_000, interval: 500 }).toMatchObject({ status: "failed", reason: "handler_timeout" });
  expect(await balanceOf("late")).toBe(0);
  expect(await balanceOf("fine")).toBe(4);
}, 300_000);

test("killed between its commit and its after: the after runs later, the SQL once", async () => {
  // The listener holds the first call, and the runtime is killed while it waits.
  answer = () => undefined;
  expect(isAcked(await send(stack, "told_1", { type: "told" }))).toBe(true);
  await expect.poll(() => calls.length, { timeout: 30_000 }).toBe(1);
  expect(await row("told_1")).toMatchObject({ status: "completed", after: "owed" });
  answer = (response) => response.end();
  stack.killRuntime();
  await expect.poll(() => row("told_1"), { timeout: 120_000 }).toMatchObject({ status: "completed", after: "done" });
  expect(calls.length).toBeGreaterThanOrEqual(2);
  expect(await balanceOf("told")).toBe(1);
}, 180_000);

test("RetryAfterError is tried again when it said, and counts", async () => {
  await send(stack, "not_yet_1", { type: "not.yet" });
  await expect.poll(() => row("not_yet_1"), { timeout: 60_000 }).toMatchObject({ status: "completed", attempts: 2 });
}, 90_000);
