/** The HTTP contract, row by row (DESIGN 3.1): exact statuses, bodies and headers, and nothing written for what is refused. */
import { env, exports } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { sign as signGitHub } from "@octokit/webhooks-methods";
import { Stripe } from "stripe";
import { beforeAll, describe, expect, test } from "vitest";
import { BODY_LIMIT_BYTES } from "../../src/core/limits.ts";
import { PAYLOAD_CANARY } from "../support/leaks.ts";
import { control } from "../support/control.ts";
import { unique } from "../support/ledger.ts";
import { delivery, fetchWorker } from "../support/requests.ts";

beforeAll(() => {
  control.queue = async () => undefined;
});

const post = (path: string, init: RequestInit = {}) => fetchWorker(new Request(`http://localhost${path}`, { method: "POST", ...init }));
const claimOf = (id: string, source = "generic") => env.CLAIMS.getByName(`${source}:${id}`);
const tell = (id: string, status: "completed" | "failed") => claimOf(id).settle({ status, opening: Date.now() + 1, stored: true });

describe("accepted deliveries", () => {
  test("first: 202 queued", async () => {
    const id = unique("evt");
    const answer = await fetchWorker(await delivery({ id }));
    expect([answer.status, answer.outcome, answer.body]).toEqual([202, "queued", { status: "queued", eventId: id }]);
    expect(answer.headers.get("content-type")).toBe("application/json");
  });
  test("while it is being processed: 202 pending", async () => {
    const id = unique("evt");
    await fetchWorker(await delivery({ id }));
    const answer = await fetchWorker(await delivery({ id }));
    expect([answer.status, answer.outcome, answer.body]).toEqual([
      202,
      "pending",
      { status: "pending", reason: "Event currently processing", eventId: id },
    ]);
  });
  test("completed before: 200 ignored", async () => {
    const id = unique("evt");
    await fetchWorker(await delivery({ id }));
    await tell(id, "completed");
    const answer = await fetchWorker(await delivery({ id }));
    expect([answer.status, answer.outcome, answer.body]).toEqual([
      200,
      "done",
      { status: "ignored", reason: "Event already processed", eventId: id },
    ]);
  });
  test("failed before, delivered again: 202, and it is open again", async () => {
    const id = unique("evt");
    await fetchWorker(await delivery({ id }));
    await tell(id, "failed");
    const answer = await fetchWorker(await delivery({ id }));
    expect([answer.status, answer.outcome, answer.body]).toEqual([202, "requeued", { status: "queued", eventId: id }]);
    expect((await fetchWorker(await delivery({ id }))).outcome).toBe("pending");
  });
  test("fifty at the same instant: one queued, the rest pending", async () => {
    const id = unique("evt");
    const requests = await Promise.all(Array.from({ length: 50 }, () => delivery({ id })));
    const answers = await Promise.all(requests.map((request) => exports.default.fetch(request)));
    const outcomes = answers.map((answer) => answer.headers.get("holdfast-status") ?? "").toSorted();
    expect(outcomes).toEqual([...Array.from({ length: 49 }, () => "pending"), "queued"]);
  });
  test("with other bytes under the same id: a duplicate, first write wins", async () => {
    const id = unique("evt");
    await fetchWorker(await delivery({ id, body: { id, n: 1 } }));
    expect((await fetchWorker(await delivery({ id, body: { id, n: 2 } }))).outcome).toBe("pending");
    const kept = (await claimOf(id).load()).body?.bytes ?? new Uint8Array();
    expect(new TextDecoder().decode(kept)).toBe(JSON.stringify({ note: PAYLOAD_CANARY, id, n: 1 }));
  });
  test("with a trailing slash, and at /api/v1/webhooks, which is the generic source", async () => {
    for (const path of ["/webhooks/generic/", "/api/v1/webhooks", "/api/v1/webhooks/"]) {
      const request = await delivery({ id: unique("evt") });
      expect((await fetchWorker(new Request(`http://localhost${path}`, request))).outcome).toBe("queued");
    }
  });
  test("the header's id wins over the body's", async () => {
    const [inHeader, inBody] = [unique("evt"), unique("evt")];
    const answer = await fetchWorker(await delivery({ body: { id: inBody }, headers: { "x-webhook-id": inHeader } }));
    expect(answer.body).toMatchObject({ eventId: inHeader });
  });
  test('64-bit ids stay apart, 1 and "1" are one', async () => {
    const base = `90071992547409${Math.floor(Math.random() * 90 + 10)}`;
    const outcomes = [];
    for (const body of [`{"id":${base}3}`, `{"id":${base}2}`, `{"id":"${base}2"}`])
      outcomes.push((await fetchWorker(await delivery({ body }))).outcome);
    expect(outcomes).toEqual(["queued", "queued", "pending"]);
  });
  test("under the next secret, while it is rotated", async () => {
    const rotating = { ...env, WEBHOOK_SECRET_NEXT: "the-next-one" };
    expect((await fetchWorker(await delivery({ id: unique("evt"), secret: "the-next-one" }), rotating)).status).toBe(202);
    expect((await fetchWorker(await delivery({ id: unique("evt") }), rotating)).status).toBe(202);
    expect((await fetchWorker(await delivery({ id: unique("evt"), secret: "neither" }), rotating)).status).toBe(401);
  });
});

describe("refused deliveries", () => {
  const UNAUTHENTIC = [401, "rejected", { error: "Invalid HMAC signature" }];
  test.each<[string, () => Promise<Request>]>([
    ["no signature", async () => new Request("http://localhost/webhooks/generic", { method: "POST", body: "{}" })],
    ["a wrong secret", () => delivery({ id: unique("evt"), secret: "guess" })],
    ["an empty signature", () => delivery({ id: unique("evt"), headers: { "x-webhook-signature": "" } })],
    ["a signature that is not hex", () => delivery({ id: unique("evt"), headers: { "x-webhook-signature": "zz".repeat(32) } })],
    [
      "a truncated signature",
      async () => {
        const good = await delivery({ id: unique("evt") });
        const headers = new Headers(good.headers);
        headers.set("x-webhook-signature", (headers.get("x-webhook-signature") ?? "").slice(0, 32));
        return new Request(good, { headers });
      },
    ],
    [
      "a changed body",
      async () =>
        new Request("http://localhost/webhooks/generic", {
          method: "POST",
          body: '{"id":"other"}',
          headers: (await delivery({ id: unique("evt") })).headers,
        }),
    ],
    ["a stale timestamp", () => delivery({ source: "stripe", id: unique("evt"), nowMs: Date.now() - 301_000 })],
    ["a timestamp from the future", () => delivery({ source: "stripe", id: unique("evt"), nowMs: Date.now() + 302_000 })],
  ])("%s: one 401, whatever the reason", async (_what, request) => {
    const answer = await fetchWorker(await request());
    expect([answer.status, answer.outcome, answer.body]).toEqual(UNAUTHENTIC);
  });
  test.each([
    "{}",
    '{"id":null}',
    '{"id":""}',
    '{"id":" "}',
    '{"id":{}}',
    '{"id":[1]}',
    '{"id":true}',
    '{"id":"a\\u0000b"}',
    '{"id":"\\ud800"}',
    `{"id":"${"x".repeat(513)}"}`,
    "[]",
    "7",
  ])("authentic, but no usable id (%s): 400", async (body) => {
    const answer = await fetchWorker(await delivery({ body }));
    expect([answer.status, answer.outcome, answer.body]).toEqual([400, "rejected", { error: "Missing unique webhook event ID" }]);
  });
  test.each(["{", "", "not json"])("authentic, id in the body, and the body does not parse (%s): 400", async (body) => {
    const answer = await fetchWorker(await delivery({ body }));
    expect([answer.status, answer.body]).toEqual([400, { error: "Malformed payload" }]);
  });
  test("a body over the limit, declared or not: 413", async () => {
    const big = new Uint8Array(BODY_LIMIT_BYTES + 1);
    expect((await post("/webhooks/generic", { body: big })).status).toBe(413);
    const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)) });
    const answer = await post("/webhooks/generic", { body: endless });
    expect([answer.status, answer.outcome, answer.body]).toEqual([413, "rejected", { error: "Payload too large" }]);
  });
  test("a compressed body: 415", async () => {
    const answer = await post("/webhooks/generic", { body: "x", headers: { "content-encoding": "gzip" } });
    expect([answer.status, answer.outcome, answer.body]).toEqual([415, "rejected", { error: "Unsupported content encoding" }]);
  });
  test("an unknown source: 404", async () => {
    for (const name of ["nobody", "constructor", "__proto__", "toString"]) {
      const answer = await post(`/webhooks/${name}`, { body: "{}" });
      expect([answer.status, answer.outcome, answer.body]).toEqual([404, "rejected", { error: "Unknown source" }]);
    }
  });
  test("a wrong method: 405 with Allow", async () => {
    const answer = await post("/webhooks/generic", { method: "PUT", body: "{}" });
    expect([answer.status, answer.headers.get("allow"), answer.body]).toEqual([405, "GET, HEAD, POST", { error: "Method not allowed" }]);
  });
  test("a source without a secret, or with an empty one: 503, fails closed", async () => {
    for (const value of [undefined, "", "  "]) {
      const answer = await fetchWorker(await delivery({ id: unique("evt"), secret: " " }), { ...env, WEBHOOK_SECRET: value } as unknown as Env);
      expect([answer.status, answer.headers.get("retry-after"), answer.body]).toEqual([503, "30", { error: "Source not configured" }]);
    }
  });
  test("a source whose secret cannot be a key: 503 too, since nothing could ever match", async () => {
    const answer = await fetchWorker(await delivery({ source: "standard", id: unique("msg") }), {
      ...env,
      STANDARD_WEBHOOK_SECRET: "whsec_not*base64",
    } as Env);
    expect([answer.status, answer.body]).toEqual([503, { error: "Source not configured" }]);
  });
  test("bodies that are announced and never come take no room from others", async () => {
    const silent = () => new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
    const idle = Array.from({ length: 10 }, () =>
      post("/webhooks/generic", { body: silent(), headers: { "content-length": String(BODY_LIMIT_BYTES) } }),
    );
    expect((await fetchWorker(await delivery({ id: unique("evt") }))).status).toBe(202);
    void Promise.allSettled(idle);
  });
  test("more bodies at once than the isolate may hold: 429 before reading", async () => {
    const hold = Promise.withResolvers<void>();
    const slow = () => {
      let sent = false;
      return new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          if (!sent) controller.enqueue(new Uint8Array(9 * 1024 * 1024));
          else {
            await hold.promise;
            controller.close();
          }
          sent = true;
        },
      });
    };
    const holding = Array.from({ length: 5 }, () => post("/webhooks/generic", { body: slow() }));
    const busy = async () =>
      (await post("/webhooks/generic", { body: new Uint8Array(9 * 1024 * 1024), headers: { "content-length": String(9 * 1024 * 1024) } })).status;
    await expect.poll(busy, { timeout: 10_000 }).toBe(429);
    hold.resolve();
    expect((await Promise.all(holding)).map((answer) => answer.status)).toEqual([401, 401, 401, 401, 401]);
    expect(await busy()).toBe(401);
  });
});

describe("signatures made by the providers' own packages", () => {
  const SECRETS = env as unknown as Record<string, string>;
  test("stripe: generateTestHeaderString", async () => {
    const payload = JSON.stringify(
      { id: unique("evt"), object: "event", type: "payment_intent.succeeded", created: Math.floor(Date.now() / 1000), data: { object: {} } },
      null,
      2,
    );
    const header = await new Stripe("sk_test_x").webhooks.generateTestHeaderStringAsync({ payload, secret: SECRETS["STRIPE_WEBHOOK_SECRET"] ?? "" });
    expect((await post("/webhooks/stripe", { body: payload, headers: { "stripe-signature": header } })).outcome).toBe("queued");
  });
  test("github: @octokit/webhooks-methods sign", async () => {
    const payload = JSON.stringify({ action: "opened", number: 1 });
    const id = crypto.randomUUID();
    const headers = {
      "x-hub-signature-256": await signGitHub(SECRETS["GITHUB_WEBHOOK_SECRET"] ?? "", payload),
      "x-github-delivery": id,
      "x-github-event": "pull_request",
    };
    const answer = await post("/webhooks/github", { body: payload, headers });
    expect([answer.outcome, answer.body]).toEqual(["queued", { status: "queued", eventId: id }]);
  });
  test("standard webhooks: Webhook.sign", async () => {
    const payload = JSON.stringify({ type: "user.created", data: {} });
    const [id, now] = [unique("msg"), new Date()];
    const signature = new Webhook(SECRETS["STANDARD_WEBHOOK_SECRET"] ?? "").sign(id, now, payload);
    const headers = { "webhook-id": id, "webhook-timestamp": String(Math.floor(now.getTime() / 1000)), "webhook-signature": signature };
    expect((await post("/webhooks/standard", { body: payload, headers })).outcome).toBe("queued");
  });
});

describe("everything else", () => {
  test("GET /healthz is alive, and a browser gets one helpful sentence", async () => {
    const get = (path: string) => fetchWorker(new Request(`http://localhost${path}`));
    expect(await get("/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(await get("/")).toMatchObject({ status: 200, body: expect.stringContaining("/webhooks/stripe") });
    expect(await get("/webhooks/stripe")).toMatchObject({ status: 200, body: expect.stringContaining("docs.stripe.com") });
    expect(await get("/nothing/here")).toMatchObject({ status: 404, body: { error: "Not found" } });
  });
});
