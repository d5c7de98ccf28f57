/** Every page, light and dark, at a desk and on a phone: axe finds nothing, nothing has to be scrolled sideways, next to nothing moves once it is drawn. `SCREENSHOTS=<folder>` keeps a picture of each. */
import { beforeAll, describe, expect, it } from "vitest";
import { deadLetter, sql, unique, useLedger } from "./ledger.ts";
import { operator, stranger, useBrowser } from "./operator.ts";
import { violationsOf } from "./axe.ts";

useBrowser();
useLedger();

const id = unique("looked-at");
const run = crypto.randomUUID();
beforeAll(async () => {
  await deadLetter(id, { userId: id });
  const filter = JSON.stringify({ status: "failed", source: "generic" });
  await sql`
    insert into webhook_replays (id, actor, reason, filter, with_permanent, rate_per_second, row_limit, matched, will_replay, replayed, status, opening, finished_at)
    values (${run}, 'Ada', 'the column is wider', ${filter}::text::jsonb, true, 10, 1000, 1, 1, 1, 'completed', 1, now())`;
  await sql`
    insert into webhook_audit (actor, action, source, event_id, details)
    values ('Ada', 'replay', 'generic', ${id}, ${JSON.stringify({ replay: run })}::text::jsonb)`;
});

const PAGES = {
  overview: "/admin",
  events: "/admin/events",
  event: `/admin/events/generic/${id}`,
  failures: "/admin/failures",
  replays: "/admin/replays",
  plan: "/admin/replays/new?what=dead&dry=yes",
  run: `/admin/replays/${run}`,
  sources: "/admin/sources",
  audit: "/admin/audit",
  refused: "/admin/events?status=lost&from=yesterday",
  nowhere: "/admin/nowhere",
  login: "/admin/login",
};
const STATUSES: Readonly<Record<string, number>> = { refused: 400, nowhere: 404 };
const SIZES = { desk: { width: 1280, height: 900 }, phone: { width: 360, height: 740 } };
/** Adds up how far things on the page moved after they had been drawn, script's changes of times among them. */
const WATCH_SHIFTS = `
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) window.shifted += value;
  }).observe({ type: "layout-shift", buffered: true });`;
/** 0 in 240 loads of four pages at a desk (2026-12-01); once 0.004, of the events at a tablet's width. 0.1 is what the field calls good. */
const SHIFT_LIMIT = 0.01;
const folder = process.env["SCREENSHOTS"];

describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
  describe.each(Object.entries(SIZES))("on a %s", (size, viewport) => {
    it.each(Object.entries(PAGES))("the page of %s is accessible and fits", async (name, path) => {
      const { page } = await (name === "login" ? stranger : operator)({ colorScheme, viewport });
      await page.addInitScript(WATCH_SHIFTS);
      const answer = await page.goto(path, { waitUntil: "networkidle" });
      expect(answer?.status()).toBe(STATUSES[name] ?? 200);
      await page.getByRole("heading", { level: 1 }).waitFor();
      // Before the picture: that one stretches the window.
      expect(await page.evaluate<number>("window.shifted")).toBeLessThan(SHIFT_LIMIT);
      if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${size}.png`, fullPage: true });
      expect(await page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(0);
      expect(await violationsOf(page)).toEqual([]);
    });
  });
});
