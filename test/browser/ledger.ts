/** What the tests of the console put into the ledger and read from it, beside the console. */
import postgres from "postgres";
import { afterAll, expect, inject, vi } from "vitest";
import { send } from "../e2e/stack.ts";
import type { Job } from "./worker.ts";

const testbed = inject("browser");
export const sql = postgres(testbed.databaseUrl, { max: 3, onnotice() {} });

/** For each test file that reads or writes the ledger. */
export function useLedger(): void {
  afterAll(() => sql.end());
}

let count = 0;
/** An id that no other test uses. */
export const unique = (what: string): string => `${what}_${++count}_${crypto.randomUUID().slice(0, 8)}`;

/** One signed delivery of the generic source, acknowledged. */
export async function deliver(id: string, job: Job & Readonly<Record<string, unknown>> = {}): Promise<void> {
  const sent = await send({ url: testbed.url, secretOf: () => testbed.webhookSecret }, id, { type: "balance.credit", ...job });
  expect(sent, `the delivery of ${id}`).toMatchObject({ status: 202 });
}

export async function statusOf(id: string): Promise<string | null> {
  const rows = await sql<{ status: string }[]>`select status from webhook_events where source = 'generic' and event_id = ${id}`;
  return rows[0]?.status ?? null;
}

export async function untilStatus(id: string, status: string): Promise<void> {
  // Not expect.poll: files wait in their beforeAll too.
  await vi.waitFor(async () => expect(await statusOf(id), `the status of ${id}`).toBe(status), { timeout: 30_000, interval: 100 });
}

/** A dead letter of a handler that fails until it is mended. `isPermanent`: a replay of its group leaves it out. */
export async function deadLetter(id: string, job: Job & Readonly<Record<string, unknown>> = {}, { isPermanent = false } = {}): Promise<void> {
  await deliver(id, { error: "numeric field overflow", ...job });
  await untilStatus(id, "failed");
  // A PermanentError fails at once; the eight attempts of any other error take twelve hours.
  if (!isPermanent) await sql`update webhook_events set reason = 'attempts_used_up' where source = 'generic' and event_id = ${id}`;
}

/** The bug fix is deployed: events whose ids begin so fail no more. */
export async function mend(prefix: string): Promise<void> {
  await sql`insert into test_mended values (${prefix}) on conflict do nothing`;
}

/** How many times the effect happened. */
export async function balanceOf(userId: string): Promise<number> {
  const rows = await sql<{ balance: number }[]>`select balance::int as balance from test_balances where user_id = ${userId}`;
  return rows[0]?.balance ?? 0;
}

export async function auditOf(id: string): Promise<readonly { actor: string; action: string }[]> {
  return sql<{ actor: string; action: string }[]>`select actor, action from webhook_audit where event_id = ${id} order by id`;
}
