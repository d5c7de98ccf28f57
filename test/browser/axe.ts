/** What axe-core finds on a page: one line each. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Found {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** Evaluated over the debugger, which the page's policy does not bind: nothing in the page is loosened for it. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(SOURCE);
  const found = await page.evaluate<Found>("axe.run()");
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200) ?? ""}`);
}
