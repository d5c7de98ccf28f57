/** Without a mouse: everything is reached, seen to be reached, and used by keys. */
import { expect, it } from "vitest";
import { auditOf, balanceOf, deadLetter, mend, unique, untilStatus, useLedger } from "./ledger.ts";
import { operator, useBrowser } from "./operator.ts";

useBrowser();
useLedger();

/** What has the focus: its name, and whether it is told from the rest by an outline. */
const FOCUSED = `(() => {
  const one = document.activeElement;
  const style = getComputedStyle(one);
  const isOutlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
  return { name: (one.getAttribute("aria-label") ?? one.labels?.[0]?.textContent ?? one.textContent ?? "").trim(), isOutlined };
})()`;
interface Focused {
  readonly name: string;
  readonly isOutlined: boolean;
}

it("finds an event, opens it and replays it", async () => {
  const id = unique("by-keys");
  await deadLetter(id, { userId: id });
  await mend(id);
  const { page } = await operator();
  await page.goto("/admin/events");
  await page.keyboard.press("/");
  await page.keyboard.type(id);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.searchParams.get("id") === id);
  await page.getByRole("main").getByRole("link", { name: id }).waitFor();
  await page.keyboard.press("j");
  expect((await page.evaluate<Focused>(FOCUSED)).name).toBe(id);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1 }).getByText(id).waitFor();

  const replay = page.getByRole("button", { name: "Replay", exact: true });
  for (let presses = 0; !(await replay.evaluate((button) => button.matches(":focus"))); presses++) {
    expect(presses, "presses of the tab key until the button has the focus").toBeLessThan(60);
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
  await untilStatus(id, "completed");
  expect([await balanceOf(id), await auditOf(id)]).toMatchObject([1, [{ action: "replay", actor: "Ada" }]]);
});

it("the first stop is the way past the rooms, and whatever has the focus can be seen to have it", async () => {
  const { page } = await operator();
  for (const path of ["/admin", "/admin/events", "/admin/failures", "/admin/replays/new", "/admin/sources"]) {
    await page.goto(path);
    await page.keyboard.press("Tab");
    expect((await page.evaluate<Focused>(FOCUSED)).name).toMatch(/^Skip/);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    expect(await page.evaluate<boolean>("document.querySelector('main').contains(document.activeElement)"), path).toBe(true);
    for (let stop = 0; stop < 12; stop++) {
      const focused = await page.evaluate<Focused>(FOCUSED);
      expect(focused, `stop ${stop} of ${path}`).toMatchObject({ isOutlined: true });
      expect(focused.name, `stop ${stop} of ${path}`).not.toBe("");
      await page.keyboard.press("Tab");
    }
  }
});

it("the rows of a list are gone through with j and k, and a field that is typed into takes the letters", async () => {
  const { page } = await operator();
  await page.goto("/admin/events");
  const links = page.locator("tbody .event > a");
  const focused = () => links.evaluateAll((all) => all.findIndex((link) => link.matches(":focus")));
  for (const [key, at] of [
    ["j", 0],
    ["j", 1],
    ["j", 2],
    ["k", 1],
  ] as const) {
    await page.keyboard.press(key);
    expect(await focused(), key).toBe(at);
  }
  await page.getByLabel("Event id").focus();
  await page.keyboard.type("jk/");
  expect(await page.getByLabel("Event id").inputValue()).toBe("jk/");
});
