/** Replays of groups in the console: from a kind of dead letters over the dry run to the run's page, and what is refused on the way. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { PermanentError } from "#holdfast";
import { NEW_REPLAY, REPLAYS, withQuery } from "../../src/console/links.ts";
import { formOf, openPage } from "../support/console.ts";
import { control } from "../support/control.ts";
import { consume, type Ledger, ledgerOn, message, unique } from "../support/ledger.ts";
import { auditOf } from "../support/operators.ts";
import { on } from "../support/own-app.ts";

let books: Ledger;
beforeAll(() => {
  // The object's own: it opens its connections itself.
  books = ledgerOn(env.HYPERDRIVE);
  control.queue = async (batch) => batch.ackAll();
});

async function deadLetters(count: number, type: string): Promise<readonly string[]> {
  const made = await Promise.all(Array.from({ length: count }, () => message({ type, opening: Date.now() - 60_000 })));
  await consume(books, made, [on("generic", "*", () => Promise.reject(new PermanentError(`broken ${type}`)))]);
  return made.map(({ facts }) => facts.id);
}
const open = (path: string) => openPage(path, books.env);
const order = (path: string, fields: Readonly<Record<string, string>>) => openPage(path, books.env, formOf(fields));
const plain = (html: string) => html.replaceAll("&amp;", "&");
const fieldsOf = (html: string, from: string) =>
  Object.fromEntries(
    [...html.slice(html.indexOf(from)).matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value]),
  );
const started = async (type: string, more: Readonly<Record<string, string>> = {}) => {
  const { status, headers } = await order(REPLAYS, { type, permanent: "yes", reason: "mended", rate: "100", ...more });
  expect(status).toBe(303);
  const path = (headers.get("location") ?? "").replace(/\?.*/, "");
  return { path, id: path.split("/").at(-1) ?? "" };
};
const step = (id: string) => runInDurableObject(env.REPLAY_RUNS.getByName(id), (run) => run.alarm());

test("leads from a kind of dead letters over its dry run to the run, which opens each of them once", async () => {
  const type = unique("kind");
  const ids = await deadLetters(3, type);
  const failures = plain((await open("/admin/failures?source=generic")).text);
  const link = [...failures.matchAll(/href="(\/admin\/replays\/new[^"]*)"/g)].map(([, href = ""]) => href).find((href) => href.includes(type)) ?? "";
  const dry = await open(link);
  // All ended for good: nothing is replayed unless that is asked for.
  expect([dry.status, dry.text.includes("<dt>Match</dt><dd>3</dd>"), dry.text.includes("Nothing would be replayed.")]).toEqual([200, true, true]);
  const forced = await open(`${link}&permanent=yes`);
  expect(forced.text).toContain("<dt>Would be replayed</dt><dd><strong>3</strong></dd>");
  expect(await books.row(ids[0] ?? "")).toMatchObject({ status: "failed", replays: 0 });
  const { status, headers } = await order(REPLAYS, { ...fieldsOf(forced.text, `method="post" action="${REPLAYS}"`), reason: "the column is wider" });
  const location = headers.get("location") ?? "";
  expect([status, location]).toEqual([303, expect.stringMatching(/^\/admin\/replays\/[0-9a-f-]{36}\?done=replay_started$/)]);
  const path = location.replace(/\?.*/, "");
  expect((await open(location)).text).toContain("The replay has started.");
  await step(path.split("/").at(-1) ?? "");
  const { text } = await open(path);
  expect(text).toContain("<b>3</b> of 3 replayed");
  expect(text).toContain("the column is wider");
  for (const id of ids) {
    expect(await books.row(id)).toMatchObject({ status: "pending", replays: 1 });
    expect(await auditOf(books, id)).toMatchObject([{ actor: "Ada", action: "replay" }]);
  }
  expect((await open(REPLAYS)).text).toContain(path);
  expect(plain((await open("/admin/audit")).text)).toContain(path);
});

test("without a reason, or with a field that is not understood, starts nothing and keeps what was typed", async () => {
  const type = unique("unsaid");
  const [id = ""] = await deadLetters(1, type);
  const silent = await order(REPLAYS, { type, permanent: "yes" });
  expect([silent.status, silent.text.includes("reason must be text"), silent.text.includes("<strong>1</strong>")]).toEqual([400, true, true]);
  const fast = await order(REPLAYS, { type, permanent: "yes", rate: "5000", reason: "hurry" });
  expect([fast.status, fast.text.includes("per second must be"), fast.text.includes('value="5000"')]).toEqual([400, true, true]);
  const bad = await open(withQuery(NEW_REPLAY, { type, from: "soon", dry: "yes" }));
  expect([bad.status, bad.text.includes("from is a time"), bad.text.includes("Would be replayed")]).toEqual([400, true, false]);
  expect((await open(REPLAYS)).text).not.toContain(type);
  expect(await books.row(id)).toMatchObject({ status: "failed", replays: 0 });
});

test("can be cancelled once, and then opens nothing more", async () => {
  const type = unique("stop");
  const ids = await deadLetters(3, type);
  const { path, id } = await started(type, { rate: "1" });
  const cancelled = await order(`${path}/cancel`, {});
  expect([cancelled.status, cancelled.headers.get("location")]).toEqual([303, `${path}?done=replay_cancelled`]);
  await step(id);
  const again = await order(`${path}/cancel`, {});
  expect([again.status, again.text.includes("Already over")]).toEqual([409, true]);
  const rows = await Promise.all(ids.map((one) => books.row(one)));
  expect(rows.filter((row) => row?.["status"] === "failed").length).toBeGreaterThanOrEqual(2);
});

test("that there is none of is a page too", async () => {
  for (const path of [`${REPLAYS}/nobody`, `${REPLAYS}/00000000-0000-4000-8000-000000000000`, `${REPLAYS}/%00`, `${REPLAYS}/..%2f`]) {
    const { status, text } = await open(path);
    expect([path, status, text.includes("<h1>Not found</h1>")]).toEqual([path, 404, true]);
  }
  expect((await order(`${REPLAYS}/nobody/cancel`, {})).status).toBe(404);
});

test("by its words stays text", async () => {
  const type = unique(`<script>window.pwned=1</script>"><img src=x onerror="window.pwned=1">`);
  await deadLetters(1, type);
  const { path } = await started(type, { reason: type });
  for (const page of [path, REPLAYS, withQuery(NEW_REPLAY, { type, dry: "yes" }), "/admin/audit", "/admin/failures"]) {
    const { status, text } = await open(page);
    expect(status).toBe(200);
    for (const tag of ["<script>window", "<img src=x", `onerror="window`]) expect(text).not.toContain(tag);
  }
});
