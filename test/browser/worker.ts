/** The Worker behind the console under test: an event fails for as long as its payload says so and nobody has mended it. */
import { sql } from "drizzle-orm";
import { defineSources, holdfast, PermanentError } from "#holdfast";
import { adyen } from "../../src/providers/adyen.ts";
import { sendgrid } from "../../src/providers/sendgrid.ts";
import { shopify } from "../../src/providers/shopify.ts";
import { slack } from "../../src/providers/slack.ts";
import type { Tx } from "../../src/store/guard.ts";
import { balances, on, sources } from "../support/own-app.ts";

export { EventClaim } from "../../src/claim/event-claim.ts";
export { ReplayRun } from "../../src/replay-run/replay-run.ts";

export interface Job {
  /** Whose balance says how many times the effect happened. */
  readonly userId?: string;
  readonly amount?: number;
  /** What the handler throws. */
  readonly error?: string;
}

/** A row of test_mended is the bug fix that an operator waits for: events whose ids begin so fail no more. */
async function isMended(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx.execute(sql`select 1 from test_mended where starts_with(${id}::text, prefix)`);
  return rows.length > 0;
}

const handlers = [
  on("generic", "*", async ({ tx, event, data }) => {
    const { userId, amount = 1, error } = data as Job;
    if (error !== undefined && !(await isMended(tx, event.id))) throw new PermanentError(error);
    if (userId === undefined) return;
    await tx
      .insert(balances)
      .values({ userId, balance: BigInt(amount) })
      .onConflictDoUpdate({ target: balances.userId, set: { balance: sql`${balances.balance} + excluded.balance` } });
  }),
];

/** Those of test/support/seed-ledger.ts among them; most have no secret. */
export default holdfast({
  sources: defineSources({ ...sources, shopify: shopify(), slack: slack(), adyen: adyen(), sendgrid: sendgrid() }),
  handlers,
});
