/** What exists before the console does: goes away with it. */
import { expect, it } from "vitest";
import { balanceOf, deadLetter, mend, unique, useLedger } from "./ledger.ts";
import { stranger, useBrowser } from "./operator.ts";

useBrowser();
useLedger();

it("starts", async () => {
  const { page } = await stranger();
  const answer = await page.goto("/admin");
  expect(answer?.status()).toBe(401);
  const id = unique("dead");
  await deadLetter(id, { userId: id });
  await mend(id);
  expect(await balanceOf(id)).toBe(0);
});
