/** The console's pages over real rows: what they show, what their forms change, and that hostile text stays text. */
import { beforeAll, describe, expect, test } from "vitest";
import { PermanentError } from "#holdfast";
import { eventPath } from "../../src/console/links.ts";
import { type Ledger, consume, ledger, message, unique } from "../support/ledger.ts";
import { auditOf } from "../support/operators.ts";
import { on } from "../support/own-app.ts";
import { control } from "../support/control.ts";
import { fetchWorker } from "../support/requests.ts";
import { SEED_NAMED, seedLedger } from "../support/seed-ledger.ts";

let books: Ledger;
beforeAll(async () => {
  control.queue = async () => undefined;
  books = await ledger("console");
  await seedLedger((text) => books.run(text), { events: 2_000, chunkRows: 1_000 });
}, 60_000);

const TOKEN = { authorization: "Bearer test-admin-token", "holdfast-operator": "Ada" };
const open = async (
  path: string,
  init: Omit<RequestInit, "headers"> & { readonly headers?: Readonly<Record<string, string>> } = {},
  bindings: Env = books.env,
) => {
  const { status, headers, body } = await fetchWorker(
    new Request(`http://localhost${path}`, { redirect: "manual", ...init, headers: { ...TOKEN, ...init.headers } }),
    bindings,
  );
  return { status, headers, text: typeof body === "string" ? body : JSON.stringify(body) };
};
const order = (path: string, fields: Readonly<Record<string, string>>) => open(path, { method: "POST", body: new URLSearchParams(fields) });

const failing = on("generic", "*", async () => {
  throw new PermanentError("no such user");
});
const working = on("generic", "*", async () => undefined);
async function made(handler: typeof failing, id = unique("evt")): Promise<{ readonly source: string; readonly id: string }> {
  const one = await message({ id });
  await consume(books, [one], [handler]);
  return { source: "generic", id };
}

describe("every page", () => {
  test.each([
    ["/admin", "<h1>Overview</h1>"],
    ["/admin?hours=24", "<h1>Overview</h1>"],
    ["/admin?hours=720", "<h1>Overview</h1>"],
    ["/admin?hours=nonsense", "<h1>Overview</h1>"],
    ["/admin/events", "<h1>Events</h1>"],
    ["/admin/failures", "<h1>Dead letters</h1>"],
    ["/admin/failures?source=stripe", "<h1>Dead letters</h1>"],
    ["/admin/sources", "<h1>Sources</h1>"],
    ["/admin/audit", "<h1>Audit</h1>"],
    [eventPath(SEED_NAMED.completed), "What happened"],
  ])("%s is there, and kept by nobody", async (path, words) => {
    const { status, headers, text } = await open(path);
    expect([status, text.startsWith("<!doctype html>"), text.includes(words)]).toEqual([200, true, true]);
    expect(headers.get("content-type")).toContain("text/html");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("content-security-policy")).toContain("script-src 'self'");
    // The policy would refuse them: a page that has any is broken.
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)|\sstyle=|\son[a-z]+=|<style/);
  });

  test("leads only to pages that are there", async () => {
    const seen = new Set<string>();
    for (const path of ["/admin", "/admin/events", "/admin/failures", "/admin/sources", "/admin/audit", eventPath(SEED_NAMED.completed)]) {
      const { text } = await open(path);
      for (const [, href = ""] of text.matchAll(/\s(?:href|src)="(\/admin[^"#]*)"/g)) seen.add(href.replaceAll("&amp;", "&"));
    }
    expect(seen.size).toBeGreaterThan(20);
    for (const href of [...seen].slice(0, 120)) expect([href, (await open(href)).status]).toEqual([href, 200]);
  }, 60_000);

  test("that there is none of is a page too", async () => {
    for (const path of ["/admin/nothing", "/admin/events/generic/nobody", "/admin/events/generic/a%00b", `/admin/events/${"x".repeat(300)}/1`]) {
      const { status, text } = await open(path);
      expect([path, status, text.includes("<h1>Not found</h1>")]).toEqual([path, 404, true]);
    }
    expect((await open("/admin/nothing", { method: "POST" })).status).toBe(404);
    expect((await open("/admin/api/nothing")).headers.get("content-type")).toContain("problem+json");
  });

  test("says so while Postgres is away, and where to try again", async () => {
    const down = {
      connectionString: books.env.HYPERDRIVE.connectionString,
      connect() {
        throw new Error("refused");
      },
    } as unknown as Hyperdrive;
    for (const path of ["/admin", "/admin/events?status=failed", "/admin/failures", "/admin/audit", eventPath(SEED_NAMED.completed)]) {
      const { status, text } = await open(path, {}, { ...books.env, HYPERDRIVE: down });
      expect([path, status, text.includes(`href="${path}"`), text.includes("The ledger did not answer")]).toEqual([path, 503, true, true]);
    }
  });

  test("needs an operator: others are led to the door, and back", async () => {
    const { status, headers } = await open("/admin/events?status=failed", { headers: { authorization: "" } });
    expect([status, headers.get("location")]).toEqual([303, "/admin/login?next=%2Fadmin%2Fevents%3Fstatus%3Dfailed"]);
  });

  test("has its two files, for good, and without an operator", async () => {
    const { text } = await open("/admin/login", { headers: { authorization: "" } });
    const files = [...text.matchAll(/"(\/admin\/assets\/[^"]+)"/g)].map(([, path = ""]) => path);
    expect(files).toHaveLength(2);
    for (const path of files) {
      const { status, headers } = await open(path, { headers: { authorization: "" } });
      expect([status, headers.get("cache-control"), headers.get("x-content-type-options")]).toEqual([
        200,
        "public, max-age=31536000, immutable",
        "nosniff",
      ]);
    }
    expect((await open("/admin/assets/other.js", { headers: { authorization: "" } })).status).toBe(404);
  });
});

describe("the events", () => {
  test("are found by the filter in the URL, page by page, as SQL finds them", async () => {
    const rows = await books.run("select count(*)::int as n from webhook_events where source = 'stripe'");
    const expected = Number(rows[0]?.["n"]);
    let path: string | undefined = "/admin/events?source=stripe";
    const found = new Set<string>();
    for (let shown = 0; path !== undefined && shown < 100; shown++) {
      const { text } = await open(path);
      for (const [, href = ""] of text.matchAll(/href="(\/admin\/events\/[^"/]+\/[^"/]+)"/g)) found.add(href);
      path = /<a rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
    }
    expect(expected).toBeGreaterThan(100);
    expect(found.size).toBe(expected);
  });

  test.each([
    ["status=great", "status can be pending, completed, skipped, failed"],
    ["from=yesterday", "from is a time such as"],
    ["id=a%00b", "id is at most 512 bytes of text"],
    ["fingerprint=zz", "12 hex digits"],
    ["cursor=damaged", "the link to older events is damaged"],
  ])("%s is told, and the rest is shown all the same", async (query, words) => {
    const { status, text } = await open(`/admin/events?${query}`);
    expect(status).toBe(400);
    expect(text).toContain(words);
    expect(text).toContain("/admin/events/");
  });
});

describe("an order", () => {
  test("to replay opens a dead letter, leads back, and is audited with the operator's name", async () => {
    const key = await made(failing);
    const { status, headers } = await order(eventPath(key, "replay"), {});
    expect([status, headers.get("location")]).toEqual([303, `${eventPath(key)}?done=replayed`]);
    expect(await books.row(key.id)).toMatchObject({ status: "pending", replays: 1 });
    expect(await auditOf(books, key.id)).toMatchObject([{ actor: "Ada", action: "replay" }]);
    expect((await open(headers.get("location") ?? "")).text).toContain("Replayed. It runs with the next batch.");
  });

  test("given by two at once is one", async () => {
    const key = await made(failing);
    const answers = await Promise.all(Array.from({ length: 10 }, () => order(eventPath(key, "replay"), {})));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, ...Array.from({ length: 9 }, () => 409)]);
    expect(await books.row(key.id)).toMatchObject({ replays: 1 });
  });

  test("to force needs the box and a reason, whatever the browser checked", async () => {
    const key = await made(working);
    const plain = await order(eventPath(key, "replay"), {});
    expect([plain.status, plain.text.includes("its effect would happen twice")]).toEqual([409, true]);
    const unticked = await order(eventPath(key, "replay"), { force: "asked", reason: "because" });
    expect([unticked.status, unticked.text.includes("Not confirmed")]).toEqual([400, true]);
    const silent = await order(eventPath(key, "replay"), { force: "asked", confirm: "on", reason: "  " });
    expect([silent.status, silent.text.includes("Reason missing")]).toEqual([400, true]);
    expect(await books.row(key.id)).toMatchObject({ status: "completed", replays: 0 });
    const forced = await order(eventPath(key, "replay"), { force: "asked", confirm: "on", reason: "the table was restored" });
    expect([forced.status, forced.headers.get("location")]).toEqual([303, `${eventPath(key)}?done=forced`]);
    expect(await auditOf(books, key.id)).toMatchObject([{ action: "replay_forced", details: { reason: "the table was restored" } }]);
  });

  test("to discard or to erase needs a reason", async () => {
    const key = await made(failing);
    for (const action of ["discard", "erase"] as const) expect((await order(eventPath(key, action), {})).status).toBe(400);
    expect((await order(eventPath(key, "discard"), { reason: "test data" })).headers.get("location")).toBe(`${eventPath(key)}?done=discarded`);
    expect((await order(eventPath(key, "erase"), { reason: "request 12" })).headers.get("location")).toBe(`${eventPath(key)}?done=erased`);
    expect(await books.row(key.id)).toMatchObject({ status: "skipped", hasBody: false });
    expect((await open(eventPath(key, "payload"))).status).toBe(404);
  });

  test("from another site changes nothing", async () => {
    const key = await made(failing);
    const { sessionCookie } = await signedIn();
    const foreign = { cookie: sessionCookie, authorization: "", "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    const { status } = await open(eventPath(key, "replay"), { method: "POST", headers: foreign, body: new URLSearchParams({}) });
    expect(status).toBe(403);
    expect(await books.row(key.id)).toMatchObject({ status: "failed", replays: 0 });
    const own = { ...foreign, "sec-fetch-site": "same-origin", origin: "http://localhost" };
    expect((await open(eventPath(key, "replay"), { method: "POST", headers: own, body: new URLSearchParams({}) })).status).toBe(303);
  });
});

async function signedIn(): Promise<{ readonly sessionCookie: string }> {
  const { headers } = await open("/admin/login", {
    method: "POST",
    headers: { authorization: "", "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ token: "test-admin-token", name: "Grace" }),
  });
  return { sessionCookie: headers.get("set-cookie")?.split(";")[0] ?? "" };
}

test.each([`<script>window.pwned=1</script>`, `"><img src=x onerror="window.pwned=1">`, `a/b?c#d%2Fe%`, `../../logout`, `..`, `.`, `~`])(
  "an event of the id %j has its page, its orders and its payload, and stays text",
  async (text) => {
    const id = text.length < 3 ? text : `${text}${unique("")}`;
    const bytes = new TextEncoder().encode(JSON.stringify({ text }));
    const one = await message({ id, type: text, bytes, headers: { "x-hostile": text } });
    const hostile = on("generic", "*", async () => {
      throw new PermanentError(text);
    });
    await consume(books, [one], [hostile]);
    const key = { source: "generic", id };
    const { status, text: page } = await open(eventPath(key));
    expect(status).toBe(200);
    for (const tag of ["<script>window", "<img src=x", `onerror="window`]) expect(page).not.toContain(tag);
    expect((await open(eventPath(key, "payload"))).text).toContain("text");
    expect((await order(eventPath(key, "discard"), { reason: text })).status).toBe(303);
    expect(await books.row(id)).toMatchObject({ status: "skipped" });
    const audit = await open("/admin/audit");
    for (const tag of ["<script>window", "<img src=x"]) expect(audit.text).not.toContain(tag);
  },
);
