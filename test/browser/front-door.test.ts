/** What a browser sees before anybody has signed in, on a ledger as large as it gets; and that orders and effects can be told apart there. */
import { expect, it } from "vitest";
import { auditOf, balanceOf, deadLetter, mend, sql, unique, untilStatus, useLedger, deliver } from "./ledger.ts";
import { stranger, useBrowser } from "./operator.ts";

useBrowser();
useLedger();

it("a stranger is told to sign in, and no request leaves the origin", async () => {
  const { page } = await stranger();
  await page.goto("/admin");
  expect(new URL(page.url()).pathname).toBe("/admin/login");
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
});

it("the ledger holds a million events", async () => {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from webhook_events`;
  expect(row?.count).toBeGreaterThanOrEqual(1_000_000);
});

it("an event whose handler fails is a dead letter without an effect, and one whose bug is mended has its effect once", async () => {
  const broken = unique("broken");
  await deadLetter(broken, { userId: broken });
  expect(await balanceOf(broken)).toBe(0);
  expect(await auditOf(broken)).toEqual([]);
  const mended = unique("mended");
  await mend(mended);
  await deliver(mended, { userId: mended, error: "numeric field overflow" });
  await untilStatus(mended, "completed");
  expect(await balanceOf(mended)).toBe(1);
});
