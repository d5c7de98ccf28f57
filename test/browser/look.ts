/** What is asked of every page: axe finds nothing, nothing hangs out, nothing jumps. The expressions run in the page, so they are text: its world is not Node's. */
import axe from "axe-core";
import type { BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";

/** Counts what jumps, from the first paint on, but for what a click made move. Before the page is opened. */
export async function watchShifts(context: BrowserContext): Promise<void> {
  await context.addInitScript(`
    window.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  `);
}

export const shiftOf = async (page: Page): Promise<number> => page.evaluate<number>("window.shifted");

export async function expectNoViolations(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const found = await page.evaluate<readonly { readonly id: string; readonly help: string; readonly nodes: readonly string[] }[]>(
    `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
      violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.slice(0, 5).map((node) => node.html.slice(0, 200) + " -> " + node.failureSummary) })))`,
  );
  expect(found).toEqual([]);
}

/** How far the page can be scrolled to the side, and what hangs out. */
export async function expectNoSideScroll(page: Page): Promise<void> {
  const wide = await page.evaluate<{ readonly by: number; readonly what: readonly string[] }>(`(() => {
    const width = document.documentElement.clientWidth;
    const by = document.documentElement.scrollWidth - width;
    const what = by <= 0 ? [] : [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > width + 1).map((one) => one.outerHTML.slice(0, 120));
    return { by, what: what.slice(0, 5) };
  })()`);
  expect(wide).toEqual({ by: 0, what: [] });
}
