/** A group of dead letters, replayed from its kind: the dry run changes nothing, the order runs what it said, and every figure is the ledger's. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { auditOf, balanceOf, deadLetter, mend, sql, statusOf, unique, useLedger } from "./ledger.ts";
import { operator, useBrowser } from "./operator.ts";

useBrowser();
useLedger();

/** What the page says of one fact. */
const fact = async (page: Page, name: string): Promise<string | null> =>
  page.locator("dt", { hasText: name }).locator("xpath=following-sibling::dd[1]").textContent();
const outcome = (page: Page, name: string): Promise<string | null> => page.locator(`ul.outcomes li.${name} b`).textContent();

/** Three that a replay takes, two that ended for good, one of them mended by nothing. */
async function group(type: string): Promise<{ readonly taken: readonly string[]; readonly permanent: readonly string[] }> {
  const taken = [1, 2, 3].map(() => unique(type));
  const permanent = [1, 2].map(() => unique(type));
  const job = (id: string) => ({ userId: id, type });
  await Promise.all([...taken.map((id) => deadLetter(id, job(id))), ...permanent.map((id) => deadLetter(id, job(id), { isPermanent: true }))]);
  return { taken, permanent };
}

for (const javaScriptEnabled of [true, false]) {
  it(`replays a kind of dead letters over its dry run, ${javaScriptEnabled ? "with" : "without"} script`, async () => {
    const type = unique("kind");
    const { taken, permanent } = await group(type);
    const { page } = await operator({ javaScriptEnabled });
    await page.goto("/admin/failures");
    await page.locator(`a[href^="/admin/replays/new"][href*="${type}"]`).first().click();
    await page.getByRole("heading", { level: 2, name: "2. What it would do" }).waitFor();
    const [counted] = await sql<{ matched: number; permanent: number }[]>`
      select count(*)::int as matched, count(*) filter (where reason <> 'attempts_used_up')::int as permanent
      from webhook_events
      where type = ${type} and status = 'failed'`;
    expect(counted).toEqual({ matched: 5, permanent: 2 });
    expect([await fact(page, "Match"), await fact(page, "Left out: permanent"), await fact(page, "Would be replayed")]).toEqual(["5", "2", "3"]);
    expect(await Promise.all(taken.map(auditOf))).toEqual([[], [], []]);

    // One is not mended: it fails again, and is counted so.
    const [stillBroken = "", ...mended] = taken;
    await Promise.all(mended.map(mend));
    const form = page.getByRole("form", { name: "Start replay" });
    await form.getByLabel("Reason").fill("the column is wider");
    await form.getByRole("button", { name: "Start replay" }).click();
    await page.waitForURL(/\/admin\/replays\/[0-9a-f-]{36}/);
    // With script the page counts by itself; without, it loads itself again.
    await expect.poll(() => outcome(page, "completed"), { timeout: 45_000 }).toBe("2");
    await expect.poll(() => outcome(page, "failed"), { timeout: 45_000 }).toBe("1");
    await expect.poll(() => page.locator(".heading .chip").textContent(), { timeout: 45_000 }).toContain("completed");
    expect([await statusOf(stillBroken), await balanceOf(stillBroken)]).toEqual(["failed", 0]);
    expect(await Promise.all(mended.map(balanceOf))).toEqual([1, 1]);
    expect(await Promise.all(permanent.map(balanceOf))).toEqual([0, 0]);
    for (const id of taken) expect(await auditOf(id)).toMatchObject([{ actor: "Ada", action: "replay" }]);
  });
}
