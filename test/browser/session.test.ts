/** A session ends by time, whatever the browser keeps: the cookie below is signed with the right key, and only its time differs. */
import { expect, inject, it } from "vitest";
import { sessionText } from "../../src/core/sign-in.ts";
import { signIn, stranger, useBrowser } from "./operator.ts";

const testbed = inject("browser");
useBrowser();

/** As src/admin/session.ts signs it, with Node's own tools. */
async function cookieUntil(expiresAtMs: number) {
  const utf8 = new TextEncoder();
  const token = await crypto.subtle.importKey("raw", utf8.encode(testbed.adminToken), "HKDF", false, ["deriveBits"]);
  const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: utf8.encode("holdfast console session") };
  const key = await crypto.subtle.importKey("raw", await crypto.subtle.deriveBits(hkdf, token, 256), { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  const text = sessionText({ name: "Ada", expiresAtMs });
  const signature = Buffer.from(await crypto.subtle.sign("HMAC", key, utf8.encode(text))).toString("base64");
  const { hostname } = new URL(testbed.url);
  return { name: "holdfast_session", value: encodeURIComponent(`${text}.${signature}`), domain: hostname, path: "/admin" };
}

it("a session whose time is over leads to the login and back to the page, though the browser still sends its cookie", async () => {
  const { page, context } = await stranger();
  await context.addCookies([await cookieUntil(Date.now() + 60_000)]);
  await page.goto("/admin/sources");
  await page.getByRole("heading", { level: 1, name: "Sources" }).waitFor();

  await context.addCookies([await cookieUntil(Date.now() - 1_000)]);
  await page.goto("/admin/sources");
  expect(new URL(page.url()).pathname).toBe("/admin/login");
  await signIn(page);
  await page.waitForURL((url) => url.pathname === "/admin/sources");
});
