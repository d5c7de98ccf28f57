/** What operators order, at the console, and what becomes of it. */
import { describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { auditOf, balanceOf, deadLetter, deliver, mend, statusOf, unique, untilStatus, useLedger } from "./ledger.ts";
import { OPERATOR_NAME, operator, useBrowser } from "./operator.ts";

useBrowser();
useLedger();

const open = (page: Page, id: string) => page.goto(`/admin/events/generic/${encodeURIComponent(id)}`);

describe("one event", () => {
  it("a dead letter is replayed and seen to complete", async () => {
    const id = unique("dead");
    await deadLetter(id, { userId: id });
    const { page } = await operator();
    await open(page, id);
    await page.getByText("numeric field overflow").first().waitFor();
    await mend(id);
    await page.getByRole("button", { name: "Replay", exact: true }).click();
    await page
      .getByRole("status")
      .getByText(/replay/i)
      .waitFor();
    await untilStatus(id, "completed");
    await page.reload();
    await page.getByText("completed", { exact: true }).first().waitFor();
    expect(await balanceOf(id)).toBe(1);
    expect(await auditOf(id)).toEqual([{ actor: OPERATOR_NAME, action: "replay" }]);
  });

  it("a completed one is run again only with the box ticked and a reason given", async () => {
    const id = unique("done");
    await deliver(id, { userId: id });
    await untilStatus(id, "completed");
    const { page } = await operator();
    await open(page, id);
    const force = page.getByRole("button", { name: "Force replay" });
    const box = page.getByRole("checkbox", { name: /twice|again|understand/i });
    const reason = page.getByRole("group", { name: /force/i }).getByLabel("Reason");
    await force.click();
    await reason.fill("the bank lost it");
    await force.click();
    expect(await balanceOf(id)).toBe(1);
    expect(await auditOf(id)).toEqual([]);
    await box.check();
    await force.click();
    await expect.poll(() => balanceOf(id), { timeout: 20_000 }).toBe(2);
    expect(await auditOf(id)).toEqual([{ actor: OPERATOR_NAME, action: "replay_forced" }]);
  });

  it("a dead letter is discarded for a reason, which is kept", async () => {
    const id = unique("discard");
    await deadLetter(id, { userId: id });
    const { page } = await operator();
    await open(page, id);
    await page
      .getByRole("group", { name: /discard/i })
      .getByLabel("Reason")
      .fill("a test of the provider");
    await page.getByRole("button", { name: "Discard" }).click();
    await page
      .getByRole("status")
      .getByText(/discard/i)
      .waitFor();
    expect(await statusOf(id)).toBe("skipped");
    await page
      .getByText(/a test of the provider/)
      .first()
      .waitFor();
    expect(await auditOf(id)).toEqual([{ actor: OPERATOR_NAME, action: "discard" }]);
    expect(await balanceOf(id)).toBe(0);
  });

  it("two operators who replay the same event at once cause one effect, and the second is told", async () => {
    const id = unique("twice");
    await deadLetter(id, { userId: id });
    await mend(id);
    const both = await Promise.all([operator(), operator()]);
    await Promise.all(both.map(({ page }) => open(page, id)));
    await Promise.all(both.map(({ page }) => page.getByRole("button", { name: "Replay", exact: true }).click()));
    await Promise.all(both.map(({ page }) => page.waitForLoadState()));
    await untilStatus(id, "completed");
    expect(await balanceOf(id)).toBe(1);
    expect(await auditOf(id)).toHaveLength(1);
  });
});
