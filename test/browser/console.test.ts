/** What an operator does at three in the morning: sign in, find an event among a million, run it again, and see what came of it. */
import { expect, inject, it } from "vitest";
import { auditOf, balanceOf, deadLetter, deliver, mend, sql, unique, untilStatus, useLedger } from "./ledger.ts";
import { operator, signIn, stranger, useBrowser } from "./operator.ts";

const testbed = inject("browser");
useBrowser();
useLedger();

const eventPage = (id: string): string => `/admin/events/generic/${encodeURIComponent(id)}`;

it("a wrong token is answered with words, the right one with the overview", async () => {
  const { page } = await stranger();
  await page.goto("/admin");
  await signIn(page, "Ada", `${testbed.adminToken}x`);
  await page.locator(".notice").waitFor();
  expect(new URL(page.url()).pathname).toBe("/admin/login");
  await signIn(page);
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
});

it("finds an event among a million by the beginning of its id; the URL holds the filter", async () => {
  const [row] = await sql<{ source: string; event_id: string }[]>`select source, event_id from webhook_events offset 500000 limit 1`;
  const wanted = row?.event_id ?? "";
  const { page } = await operator();
  await page.goto("/admin/events");
  await page.getByLabel("Event id").fill(wanted);
  await page.getByLabel("Event id").press("Enter");
  await page.waitForURL((url) => url.searchParams.get("id") === wanted);
  await page.getByRole("main").getByRole("link", { name: wanted }).first().click();
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toContain(encodeURIComponent(wanted));
  await page.goBack();
  expect(new URL(page.url()).searchParams.get("id")).toBe(wanted);
  expect(await page.getByLabel("Event id").inputValue()).toBe(wanted);
});

for (const javaScriptEnabled of [true, false]) {
  it(`replays a dead letter and sees it completed, ${javaScriptEnabled ? "with" : "without"} script`, async () => {
    const id = unique("replayed");
    await deadLetter(id, { userId: id });
    await mend(id);
    const { page } = await operator({ javaScriptEnabled });
    await page.goto(eventPage(id));
    await page.getByRole("button", { name: "Replay", exact: true }).click();
    await page.locator(".notice").first().waitFor();
    await untilStatus(id, "completed");
    await page.goto(eventPage(id));
    await page.getByRole("button", { name: "Force replay" }).waitFor();
    expect(await balanceOf(id)).toBe(1);
    expect(await auditOf(id)).toHaveLength(1);
  });
}

it("two operators who replay the same event at once cause one effect", async () => {
  const id = unique("raced");
  await deadLetter(id, { userId: id });
  await mend(id);
  const two = await Promise.all([operator(), operator()]);
  await Promise.all(two.map(({ page }) => page.goto(eventPage(id))));
  await Promise.all(two.map(({ page }) => page.getByRole("button", { name: "Replay", exact: true }).click()));
  await untilStatus(id, "completed");
  expect(await balanceOf(id)).toBe(1);
});

it("a completed event is forced only with the box ticked and a reason", async () => {
  const id = unique("forced");
  await deliver(id, { userId: id });
  await untilStatus(id, "completed");
  const { page } = await operator();
  await page.goto(eventPage(id));
  const form = page.getByRole("form", { name: "Force replay" });
  await form.getByRole("button").click();
  expect(await auditOf(id)).toEqual([]);
  await form.getByRole("checkbox").check();
  await form.getByLabel("Reason").fill("the ledger of the bank lost it");
  await form.getByRole("button").click();
  await expect.poll(() => balanceOf(id), { timeout: 30_000 }).toBe(2);
  expect(await auditOf(id)).toHaveLength(1);
});

it("a session that has ended leads to the login, and then back to the page", async () => {
  const { page, context } = await operator();
  await page.goto("/admin/sources");
  await context.clearCookies();
  await page.goto("/admin/failures");
  await signIn(page);
  await page.waitForURL((url) => url.pathname === "/admin/failures");
});

/** Another site's page, to which the browser sends no cookie of ours; and one on another port of the same host, to which it is the same site: only the Origin tells. */
it.each(["http://evil.test/", "http://127.0.0.1:9/"])("a form of %s changes nothing", async (forger) => {
  const id = unique("forged");
  await deadLetter(id, { userId: id });
  const { page, mishaps } = await operator();
  await page.route(forger, (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<form method="post" action="${testbed.url}${eventPage(id)}/discard"><input name="reason" value="forged"><button>Go</button></form>`,
    }),
  );
  await page.goto(forger);
  const answered = page.waitForResponse((response) => response.url().endsWith("/discard"));
  await page.getByRole("button", { name: "Go" }).click();
  const answer = await answered;
  const cookie = await answer.request().headerValue("cookie");
  expect([answer.status(), cookie !== null]).toEqual(
    new URL(forger).hostname === new URL(testbed.url).hostname ? [403, true] : [expect.toSatisfy((status: number) => status >= 400), false],
  );
  expect(await auditOf(id)).toEqual([]);
  mishaps.splice(0); // The other site is the test's own.
});
