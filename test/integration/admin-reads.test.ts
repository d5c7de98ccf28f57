/** What operators read over the API: every list and figure equals SQL over the same rows, and every bad question is answered in words. */
import { env } from "cloudflare:workers";
import { hc } from "hono/client";
import { beforeAll, describe, expect, test } from "vitest";
import { PermanentError } from "#holdfast";
import type { AdminApi } from "../../src/admin/api.ts";
import { claimOf, sampleOf, uniqueId } from "../support/events.ts";
import { consume, ledger, type Ledger, message, unique } from "../support/ledger.ts";
import { on } from "../support/own-app.ts";
import { fetchWorker } from "../support/requests.ts";
import { SEED_NAMED, seedLedger } from "../support/seed-ledger.ts";

const EVENTS = 10_000;
let books: Ledger;
beforeAll(async () => {
  books = await ledger("admin_reads");
  await seedLedger((text) => books.run(text), { events: EVENTS, chunkRows: 2_500 });
}, 120_000);

const BASE = "http://localhost/admin/api";
const get = (path: string, bindings: Env = books.env) =>
  fetchWorker(new Request(`${BASE}${path}`, { headers: { authorization: "Bearer test-admin-token" } }), bindings);
const ids = async (where: string): Promise<string[]> => {
  const rows = await books.run(
    `select e.source || ' ' || e.event_id as name from webhook_events e where ${where} order by e.received_at desc, e.source desc, e.event_id desc`,
  );
  return rows.map((row) => String(row["name"]));
};

interface Listed {
  readonly events: readonly { readonly source: string; readonly id: string; readonly receivedAtMs: number }[];
  readonly next: string | null;
}
async function page(query: string): Promise<Listed> {
  const { status, body } = await get(`/events?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as Listed;
}
/** All pages, as somebody who reads on would see them. */
async function walk(query: string, limit: number): Promise<string[]> {
  const names: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const { events, next }: Listed = await page(`${query}&limit=${limit}${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`);
    names.push(...events.map(({ source, id }) => `${source} ${id}`));
    cursor = next;
  }
  return names;
}

describe("the list of events", () => {
  test("without conditions holds every event once, newest first, whatever the page's size", async () => {
    expect(await walk("", 200)).toEqual(await ids("true"));
  }, 60_000);

  test.each<[string, string]>([
    ["status=pending", "e.status = 'pending'"],
    ["status=failed", "e.status = 'failed'"],
    ["status=skipped&source=slack", "e.status = 'skipped' and e.source = 'slack'"],
    ["after=failed", "e.after = 'failed'"],
    ["source=adyen&type=CHARGEBACK", "e.source = 'adyen' and e.type = 'CHARGEBACK'"],
    ["type=deal.won&status=failed", "e.type = 'deal.won' and e.status = 'failed'"],
    ["prefix=evt_a", "starts_with(e.event_id, 'evt_a')"],
    ["prefix=evt_needle", "e.event_id = 'evt_needle_in_the_haystack'"],
    ["prefix=%25", "starts_with(e.event_id, '%')"],
    ["prefix=evt_0&source=stripe&status=completed", "starts_with(e.event_id, 'evt_0') and e.source = 'stripe' and e.status = 'completed'"],
    ["source=stripe&type=push", "false"],
    ["source=nobody", "false"],
  ])("by %s holds what SQL finds", async (query, where) => {
    expect(await walk(query, 37)).toEqual(await ids(where));
  });

  test("by a time holds what arrived from it on, and before the other", async () => {
    const [row] = await books.run("select extract(epoch from received_at) * 1000 as ms from webhook_events order by received_at offset 9500 limit 1");
    const fromMs = Math.round(Number(row?.["ms"]));
    const toMs = fromMs + 3_600_000;
    const between = `e.received_at >= to_timestamp(${fromMs} / 1000.0) and e.received_at < to_timestamp(${toMs} / 1000.0)`;
    const expected = await ids(between);
    expect(expected.length).toBeGreaterThan(10);
    expect(await walk(`from=${fromMs}&to=${toMs}`, 200)).toEqual(expected);
    expect(await walk(`from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}&source=stripe`, 50)).toEqual(
      await ids(`${between} and e.source = 'stripe'`),
    );
  });

  test("by a fingerprint holds one kind of failure", async () => {
    const [kind] = await books.run(
      "select fingerprint, count(*)::int as n from webhook_events where status = 'failed' group by 1 order by 2 desc limit 1",
    );
    const found = await walk(`fingerprint=${String(kind?.["fingerprint"])}`, 20);
    expect(found).toHaveLength(Number(kind?.["n"]));
    expect(found).toEqual(await ids(`e.fingerprint = '${String(kind?.["fingerprint"])}'`));
  });

  test("keeps its place while newer events arrive", async () => {
    const first = await page("status=failed&limit=5");
    await consume(books, [await message()], [on("generic", "*", () => Promise.reject(new PermanentError("newer")))]);
    const second = await page(`status=failed&limit=5&cursor=${encodeURIComponent(first.next ?? "")}`);
    const seen = [...first.events, ...second.events].map(({ source, id }) => `${source} ${id}`);
    expect((await ids("e.status = 'failed'")).slice(1, 11)).toEqual(seen);
  });

  test("of events of the same millisecond leaves none out between pages", async () => {
    const source = "github-skip";
    await books.run(`insert into webhook_events (source, event_id, type, status, opening, received_at, sent_at, digest, content_type, headers)
      select '${source}', 'tie, ' || i, 't', 'completed', 1, '2026-01-01', now(), '', '', '{}' from generate_series(1, 25) i`);
    expect(await walk(`source=${source}`, 7)).toEqual(await ids(`e.source = '${source}'`));
    expect(await ids(`e.source = '${source}'`)).toHaveLength(25);
  });
});

describe("a bad question", () => {
  test.each<[string, string]>([
    ["/events?status=fialed", 'parameter "status" is "fialed": it must be one of pending, completed, skipped, failed'],
    ["/events?from=noon", 'parameter "from" is "noon": it must be a time'],
    ["/events?limit=1000", 'parameter "limit" is "1000": it must be a whole number from 1 to 200'],
    ["/events?limit=5&limit=6", 'parameter "limit" is ["5","6"]: it must be given once'],
    ["/events?cursor=abc", 'parameter "cursor" is "abc": it must be the `next` of the page before'],
    ["/events?prefix=%00", 'parameter "prefix" is "\\u0000": it must be 1 to 512 bytes of text without NUL'],
    ["/events?sourcee=stripe", 'parameter "sourcee" is unknown'],
    ["/events/stripe/evt_1?full=1", 'parameter "full" is unknown: known are none'],
    ["/failures?status=failed", 'parameter "status" is unknown: known are source, type'],
    ["/audit?cursor=0", 'parameter "cursor" is "0": it must be a whole number from 1'],
    ["/stats?hours=0", 'parameter "hours" is "0": it must be a whole number from 1 to 2160'],
    ["/events/stripe/%00", "well-formed text without NUL"],
    [`/events/stripe/${"x".repeat(513)}`, "an event id 1 to 512"],
    [`/events/${"x".repeat(65)}/1/payload`, "a source is 1 to 64 bytes"],
    ["/sources/%00/handshakes", "a source is 1 to 64 bytes"],
  ])("%s is a problem that says what is wrong", async (path, detail) => {
    const { status, body, headers } = await get(path);
    expect(status).toBe(400);
    expect(headers.get("content-type")).toBe("application/problem+json");
    expect(body).toMatchObject({ type: "about:blank", status: 400, title: expect.any(String), detail: expect.stringContaining(detail) });
  });

  test("for a route that is not there, or an event, is a problem too", async () => {
    expect((await get("/evnets")).body).toMatchObject({ status: 404, detail: "the API has no GET /admin/api/evnets" });
    expect((await get("/events/stripe/nobody")).body).toMatchObject({ status: 404, title: "Unknown event" });
    expect((await get("/events/stripe/nobody/payload")).body).toMatchObject({ status: 404, title: "No bytes" });
  });

  test("that takes too long is told to be narrower, and ends in the database", async () => {
    const blocker = books.db().transaction(async (tx) => {
      await tx.execute("lock table webhook_audit in access exclusive mode");
      const { status, body } = await get("/audit");
      expect(status).toBe(503);
      expect(body).toMatchObject({ title: "Too slow", detail: expect.stringContaining("narrow the time range") });
    });
    await blocker;
  }, 30_000);
});

describe("an event's story", () => {
  test("is its row, its failures, its claim and its payload", async () => {
    const { source, id } = SEED_NAMED.failed;
    const { body } = await get(`/events/${source}/${id}`);
    const [row] = await books.run(
      `select *, extract(epoch from received_at) * 1000 as received_ms, convert_from(body, 'UTF8') as text from webhook_events where event_id = '${id}'`,
    );
    const attempts = await books.run(`select class, message, stack from webhook_attempts where event_id = '${id}' order by at, id`);
    expect(body).toMatchObject({
      source,
      id,
      status: "failed",
      reason: "permanent",
      type: row?.["type"],
      digest: row?.["digest"],
      fingerprint: row?.["fingerprint"],
      headers: row?.["headers"],
      receivedAtMs: Math.round(Number(row?.["received_ms"])),
      attemptLog: attempts,
      audit: [],
      claim: { status: "unclaimed", hasBytes: false },
      payload: { text: row?.["text"], pretty: JSON.stringify(JSON.parse(String(row?.["text"])), null, 2), isCut: false },
    });
  });

  test("tells of a claim that holds it, and changes nothing there", async () => {
    const id = uniqueId();
    const { facts, bytes } = await sampleOf(id);
    await claimOf(id).deliver({ facts, bytes });
    await books.run(`insert into webhook_events (source, event_id, type, status, opening, received_at, sent_at, digest, content_type, headers)
      values ('generic', '${id}', 't', 'pending', 1, now(), now(), '', '', '{}')`);
    expect((await get(`/events/generic/${id}`)).body).toMatchObject({ claim: { hasBytes: true }, payload: { text: null } });
  });

  test("without an answer of its claim is told all the same", async () => {
    const { source, id } = SEED_NAMED.completed;
    const CLAIMS = { getByName: () => ({ inspect: () => Promise.reject(new Error("reset")) }) } as unknown as Env["CLAIMS"];
    expect((await get(`/events/${source}/${id}`, { ...books.env, CLAIMS })).body).toMatchObject({ id, claim: null });
  });

  test("of an event that only its claim knows says that it was received", async () => {
    const id = uniqueId();
    const { facts, bytes } = await sampleOf(id);
    await claimOf(id).deliver({ facts, bytes });
    const { status, body } = await get(`/events/generic/${id}`);
    expect(status).toBe(404);
    expect(body).toMatchObject({
      detail: expect.stringMatching(/its claim is (?:claimed|enqueued) since .*Z: it was received, and its bytes are kept there/),
    });
  });

  test("of a large payload shows the beginning, and gives the whole to the last bit", async () => {
    const text = `{"a":"${"é".repeat(200_000)}"}`;
    const id = uniqueId();
    await books.run(`insert into webhook_events (source, event_id, type, status, opening, received_at, sent_at, digest, content_type, headers, body)
      values ('generic', '${id}', 't', 'completed', 1, now(), now(), '', '', '{}', convert_to('{"a":"' || repeat('é', 200000) || '"}', 'UTF8'))`);
    const { body } = await get(`/events/generic/${id}`);
    const { payload } = body as { payload: { text: string; pretty: string | null; isCut: boolean } };
    expect(payload).toMatchObject({ pretty: null, isCut: true });
    expect(text.startsWith(payload.text)).toBe(true);
    expect(new TextEncoder().encode(payload.text).length).toBeGreaterThan(256 * 1024 - 2);
    const whole = await get(`/events/generic/${id}/payload`);
    expect(whole.headers.get("content-type")).toBe("application/octet-stream");
    expect(whole.headers.get("content-disposition")).toBe('attachment; filename="payload.bin"');
    expect(whole.headers.get("x-content-type-options")).toBe("nosniff");
    expect(JSON.stringify(whole.body)).toBe(text);
  });

  test("is found under an id of any characters", async () => {
    const id = `a/b ?#%&"<script>‮ ${crypto.randomUUID()}`;
    await consume(books, [await message({ id })], [on("generic", "*", async () => undefined)]);
    expect((await get(`/events/generic/${encodeURIComponent(id)}`)).body).toMatchObject({ id, status: "completed" });
    expect(await walk(`prefix=${encodeURIComponent(id)}`, 5)).toEqual([`generic ${id}`]);
  });
});

describe("figures", () => {
  test("of dead letters by kind equal SQL, and add up to all of them", async () => {
    const { body } = await get("/failures");
    const { failures } = body as { failures: readonly { count: number; fingerprint: string; title: string; exampleId: string }[] };
    const rows = await books.run(`select fingerprint, source, type, count(*)::int as count,
      count(*) filter (where reason in ('permanent', 'unstorable'))::int as permanent,
      (extract(epoch from min(settled_at)) * 1000)::float8 as "firstMs", (extract(epoch from max(settled_at)) * 1000)::float8 as "lastMs"
      from webhook_events where status = 'failed' group by 1, 2, 3 order by 4 desc, 1`);
    expect(failures.map(({ title: _, exampleId: __, ...figures }) => figures)).toEqual(rows);
    const [all] = await books.run("select count(*)::int as n from webhook_events where status = 'failed'");
    expect(failures.reduce((sum, { count }) => sum + count, 0)).toBe(all?.["n"]);
    expect(failures[0]).toMatchObject({ title: "numeric field overflow" });
    for (const { fingerprint, exampleId } of failures)
      expect(await ids(`e.fingerprint = '${fingerprint}' and e.event_id = '${exampleId}'`)).toHaveLength(1);
  });

  test("of sources equal SQL, and no secret is among them", async () => {
    const { body } = await get("/sources");
    const { sources } = body as {
      sources: readonly { source: string; lastReceivedAtMs: number | null; lastDay: object; url: string; secret: string }[];
    };
    const rows =
      await books.run(`select source, (extract(epoch from max(received_at)) * 1000)::float8 as last, count(*) filter (where received_at >= now() - interval '1 day')::int as received,
      count(*) filter (where received_at >= now() - interval '1 day' and status = 'completed')::int as completed,
      count(*) filter (where received_at >= now() - interval '1 day' and status = 'skipped')::int as skipped,
      count(*) filter (where received_at >= now() - interval '1 day' and status = 'failed')::int as failed
      from webhook_events where source in ('stripe', 'github', 'generic') group by source`);
    expect(rows).toHaveLength(3);
    for (const { source, last, ...lastDay } of rows)
      expect(sources).toContainEqual(expect.objectContaining({ source, lastReceivedAtMs: last, lastDay }));
    expect(sources.find(({ source }) => source === "stripe")).toMatchObject({
      url: "http://localhost/webhooks/stripe",
      secret: "set",
      title: "Stripe",
    });
    const variables = Object.entries(env).filter(([name, value]) => /SECRET|TOKEN/.test(name) && typeof value === "string" && value !== "");
    expect(variables.length).toBeGreaterThan(3);
    for (const [name, value] of variables) expect(JSON.stringify(body), name).not.toContain(String(value));
  });
});

describe("a source without a secret", () => {
  test("says which variable is missing", async () => {
    const { STRIPE_WEBHOOK_SECRET: _, ...without } = books.env as Env & { STRIPE_WEBHOOK_SECRET: string };
    const { body } = await get("/sources", without);
    const { sources } = body as { sources: readonly { source: string }[] };
    expect(sources.find(({ source }) => source === "stripe")).toMatchObject({
      secret: "missing",
      hints: [expect.stringContaining("STRIPE_WEBHOOK_SECRET")],
    });
  });
});

test("whoever reads handed-over secrets is on record, and the record is in the audit's pages", async () => {
  for (let n = 0; n < 3; n++) await get("/sources/generic/handshakes");
  const first = (await get("/audit?limit=2")).body as { entries: readonly object[]; next: string };
  expect(first.entries[0]).toMatchObject({ action: "handshakes_read", source: "generic", eventId: null, actor: "admin token" });
  const second = (await get(`/audit?limit=2&cursor=${first.next}`)).body as { entries: readonly object[] };
  const rows = await books.run("select id::float8 as id from webhook_audit order by id desc limit 4");
  expect([...first.entries, ...second.entries].map((entry) => ("id" in entry ? entry.id : null))).toEqual(
    rows.slice(0, first.entries.length + second.entries.length).map(({ id }) => id),
  );
  expect(second.entries.length).toBeGreaterThan(0);
});

describe("a fingerprint", () => {
  const failing = (words: string) => [on("generic", "*", () => Promise.reject(new PermanentError(words)))];
  const fingerprintOf = async (id: string) => (await books.row(id))?.fingerprint;

  test("is one for failures that differ in their values alone", async () => {
    const [one, two, other, elsewhere] = [await message(), await message(), await message(), await message({ type: unique("type") })];
    await consume(books, [one], failing("order 1 not found"));
    await consume(books, [two], failing("order 2 not found"));
    await consume(books, [other], failing("no order found"));
    await consume(books, [elsewhere], failing("order 1 not found"));
    const prints = await Promise.all([one, two, other, elsewhere].map(({ facts }) => fingerprintOf(facts.id)));
    expect(prints[0]).toMatch(/^[0-9a-f]{12}$/);
    expect(prints[1]).toBe(prints[0]);
    expect(new Set(prints).size).toBe(3);
  });

  test("stays through a replay, and goes when the event completes", async () => {
    const one = await message();
    await consume(books, [one], failing("later"));
    const before = await fingerprintOf(one.facts.id);
    await fetchWorker(
      new Request(`${BASE}/events/generic/${one.facts.id}/replay`, { method: "POST", headers: { authorization: "Bearer test-admin-token" } }),
      books.env,
    );
    expect(await fingerprintOf(one.facts.id)).toBe(before);
    await consume(books, [one], [on("generic", "*", async () => undefined)]);
    expect(await books.row(one.facts.id)).toMatchObject({ status: "completed", fingerprint: null });
  });

  test("names a failed `after`, and goes when the `after` is done", async () => {
    const one = await message();
    const route = (fails: boolean) =>
      on("generic", "*", { run: async () => undefined, after: async () => (fails ? Promise.reject(new PermanentError("mail is down")) : undefined) });
    await consume(books, [one], [route(true)]);
    expect(await books.row(one.facts.id)).toMatchObject({ after: "failed", fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/) });
    expect(await walk("after=failed&source=generic", 50)).toContain(`generic ${one.facts.id}`);
    await fetchWorker(
      new Request(`${BASE}/events/generic/${one.facts.id}/replay`, { method: "POST", headers: { authorization: "Bearer test-admin-token" } }),
      books.env,
    );
    await consume(books, [one], [route(false)]);
    expect(await books.row(one.facts.id)).toMatchObject({ after: "done", fingerprint: null, lastError: null });
  });

  test("of seeded rows is what the statements would have written", async () => {
    const one = await message({ source: "generic", type: "credit" });
    await consume(books, [one], failing("the payload does not match the handler's schema: amount: expected a number"));
    const rows = await books.run(
      "select distinct fingerprint from webhook_events where source = 'generic' and type = 'credit' and last_error like 'the payload does not%'",
    );
    expect(rows).toEqual([{ fingerprint: await fingerprintOf(one.facts.id) }]);
  });
});

test("Hono's client reads the API by its types", async () => {
  const client = hc<AdminApi>(BASE, {
    headers: { authorization: "Bearer test-admin-token" },
    fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
      const { status, body, headers } = await fetchWorker(new Request(input, init), books.env);
      return new Response(JSON.stringify(body), { status, headers });
    },
  });
  const listed = await client.events.$get({ query: { status: "failed", from: 0, limit: 2 } });
  if (!listed.ok) throw new Error((await listed.json()).detail);
  const { events } = await listed.json();
  const [first] = events;
  if (first === undefined) throw new Error("nothing failed");
  const param = { source: encodeURIComponent(first.source), id: encodeURIComponent(first.id) };
  const told = await client.events[":source"][":id"].$get({ param });
  if (!told.ok) throw new Error((await told.json()).detail);
  expect((await told.json()).lastError?.split("\n")[0]).toBe(first.error);
  // @ts-expect-error There is no such status.
  const refused = await client.events.$get({ query: { status: "fialed" } });
  expect(refused.ok ? null : (await refused.json()).status).toBe(400);
});
