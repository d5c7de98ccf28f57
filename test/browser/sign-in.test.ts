/** Who comes in, who does not, and what a form of another site can do: nothing. */
import { createServer, type Server } from "node:http";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { auditOf, balanceOf, deadLetter, mend, statusOf, unique, useLedger } from "./ledger.ts";
import { operator, signIn, stranger, useBrowser } from "./operator.ts";

const { url } = inject("browser");
useBrowser();
useLedger();

describe("signing in", () => {
  it("refuses a wrong token in words, and gives no session", async () => {
    const { page, context } = await stranger();
    await page.goto("/admin");
    await signIn(page, "Mallory", "not-the-admin-token");
    await page.getByRole("alert").getByText(/token/i).waitFor();
    expect(await context.cookies()).toEqual([]);
    await page.goto("/admin/events");
    await page.getByLabel("Admin token").waitFor();
  });

  it("lets the right token in, to where one wanted to go", async () => {
    const { page, context } = await stranger();
    await page.goto("/admin/events?status=failed&source=stripe");
    await signIn(page);
    await page.getByRole("heading", { level: 1, name: "Events" }).waitFor();
    expect(new URL(page.url()).search).toBe("?status=failed&source=stripe");
    const [cookie, ...others] = await context.cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/admin" });
    expect(decodeURIComponent(cookie?.value ?? "")).not.toContain(inject("browser").adminToken);
  });

  it("ends with signing out: the way back shows nothing", async () => {
    const { page, context } = await stranger();
    await page.goto("/admin");
    await signIn(page);
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("Admin token").waitFor();
    expect(await context.cookies()).toEqual([]);
    await page.goBack();
    await page.getByLabel("Admin token").waitFor();
  });
});

describe("a form of another site", () => {
  it.each([
    ["another port, so that the browser sends the cookie: the same site, another origin", "127.0.0.1"],
    ["another site", "localhost"],
  ])("changes nothing from %s", async (_where, host) => {
    const id = unique("forged");
    await deadLetter(id, { userId: id });
    await mend(id);
    const { page, context, mishaps } = await operator();
    const { port } = await forger(`${url}/admin/events/generic/${id}/replay`);
    const answer = page.waitForResponse((response) => response.request().method() === "POST");
    await page.goto(`http://${host}:${port}/`);
    // Of the other site the browser sends no session: it is told to sign in.
    expect((await answer).status()).toBe(host === "localhost" ? 401 : 403);
    await page.waitForLoadState();
    expect(await page.getByText(/another (site|origin|page)|sign in/i).count()).toBeGreaterThan(0);
    expect(await statusOf(id)).toBe("failed");
    expect(await auditOf(id)).toEqual([]);
    expect(await balanceOf(id)).toBe(0);
    // It began elsewhere.
    mishaps.splice(0);
    await context.close();
  });
});

/** A page that posts its form as soon as it is open. */
async function forger(action: string): Promise<{ readonly port: number }> {
  const server: Server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<form method="post" action="${action}"><input name="reason" value="because"></form><script>document.forms[0].submit()</script>`);
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const address = server.address();
  return { port: typeof address === "object" && address !== null ? address.port : 0 };
}
