/** What senders, handlers and operators write is text, on every page that shows it. A dialog, a script error or a refusal of the policy fails the test by itself. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { sign } from "../../src/schemes/scheme.ts";
import { generic } from "../../src/providers/generic.ts";
import { sql, unique, untilStatus, useLedger } from "./ledger.ts";
import { signIn, stranger, useBrowser } from "./operator.ts";

const testbed = inject("browser");
useBrowser();
useLedger();

/** Breaks out of an attribute, an element and a comment, each with something that would run; turns the direction around; needs every escape of a URL. */
const HOSTILE = `"'><script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)>--></title></textarea></pre>\u202Egnirts`;
const MARKUP = 'script:not([src]), img[src="x"], [onerror], [onload], [onclick], iframe, object, embed, base, [href^="javascript:" i], [style]';

const id = `${unique("xss")}/../?a=b&c=%2F#d ${HOSTILE}`;
const actor = `Eve ${HOSTILE}`.slice(0, 60);

async function expectOnlyText(page: Page): Promise<void> {
  expect(await page.locator(MARKUP).evaluateAll((found) => found.map(String))).toEqual([]);
}

beforeAll(async () => {
  const type = `type ${HOSTILE}`;
  const body = new TextEncoder().encode(JSON.stringify({ id, type, error: `error ${HOSTILE}`, note: `payload ${HOSTILE}`, [HOSTILE]: HOSTILE }));
  const headers = { "content-type": "application/json", "user-agent": `agent "'><script>alert(4)</script>` };
  const outgoing = { method: "POST", url: `${testbed.url}/webhooks/generic`, headers, id, timestampMs: Date.now(), body };
  const signed = await sign(generic().scheme, outgoing, { secret: testbed.webhookSecret, privateKey: null });
  const answer = await fetch(signed.url, { ...signed, body });
  expect(answer.status).toBe(202);
  await untilStatus(id, "failed");
});

describe("hostile text stays text", () => {
  it("in the lists of events and failures, on the overview, and on the event's page", async () => {
    const { page } = await stranger();
    await page.goto("/admin");
    await signIn(page, actor);
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await expectOnlyText(page);

    await page.goto(`/admin/events?id=${encodeURIComponent(id.slice(0, 60))}`);
    await page.getByText("<script>alert(1)</script>").first().waitFor();
    await expectOnlyText(page);
    await page
      .getByRole("link", { name: id.slice(0, 12) })
      .first()
      .click();
    await page
      .getByText(`error ${HOSTILE.slice(0, 20)}`)
      .first()
      .waitFor();
    await page.getByText(`agent "'><script>alert(4)</script>`).first().waitFor();
    await page.getByText(`payload \\"'><script>`).first().waitFor();
    await expectOnlyText(page);

    await page.goto("/admin/failures");
    await page.getByText(`error "'><script>`).first().waitFor();
    await expectOnlyText(page);
  });

  it("in an operator's name and reasons, on the event's page and in the audit", async () => {
    const { page } = await stranger();
    await page.goto(`/admin/events/generic/${encodeURIComponent(id)}`);
    await signIn(page, actor);
    await page.getByRole("form", { name: "Discard" }).getByLabel("Reason").fill(`reason ${HOSTILE}`);
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("status").waitFor();
    await page.getByText("reason \"'><script>alert(1)</script>").first().waitFor();
    await expectOnlyText(page);
    const [audit] = await sql<{ actor: string; reason: string }[]>`
      select actor, details->>'reason' as reason
      from webhook_audit
      where event_id = ${id} and action = 'discard'`;
    expect(audit?.reason).toContain("<script>alert(1)</script>");

    await page.goto("/admin/audit");
    await page.getByText("Eve \"'><script>").first().waitFor();
    await expectOnlyText(page);
  });

  it("in filters that somebody was sent as a link", async () => {
    const { page } = await stranger();
    await page.goto("/admin");
    await signIn(page);
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    for (const name of ["id", "source", "type", "status", "from", "cursor", "fingerprint", "done"]) {
      await page.goto(`/admin/events?${name}=${encodeURIComponent(HOSTILE)}`);
      await expectOnlyText(page);
    }
    await page.goto(`/admin/nowhere/${encodeURIComponent(HOSTILE)}`);
    await expectOnlyText(page);
  });
});
