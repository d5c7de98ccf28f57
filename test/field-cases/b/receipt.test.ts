/** Field cases at the front door: bodies, signatures and ids as receivers met them. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { createApp } from "../../../src/app.ts";
import { sendgrid } from "../../../src/providers/sendgrid.ts";
import { newKeys, sign } from "../../../src/schemes/scheme.ts";
import { delivery } from "../../support/requests.ts";
import { bytesOf, credit, Field, inside, logged, on, sources, T0_MS, vector } from "./field.ts";

let field: Field;
beforeAll(async () => {
  field = await Field.open("receipt");
});

const REFUSED = [401, { error: "Invalid HMAC signature" }];

describe("B55 a body read twice in the framework", () => {
  test.each(["application/json", "text/plain", "", "application/json; charset=iso-8859-1"])(
    "B55 the content type is %j, and the one reader has the bytes",
    async (type) => {
      const { headers, body } = vector("B55 r1");
      const { "content-type": _, ...rest } = headers;
      const request = new Request("https://hooks.example.test/webhooks/stripe", {
        method: "POST",
        body,
        headers: { ...rest, ...(type === "" ? {} : { "content-type": type }) },
      });
      const startMs = performance.now();
      expect([202, 200]).toContain((await field.post(request)).status);
      expect(performance.now() - startMs).toBeLessThan(1_000);
      await field.consume(await field.messages("evt_B_hono"), [on("stripe", "*", credit)]);
      expect(await field.row("evt_B_hono")).toMatchObject({ status: "completed" });
    },
  );

  test("B55 no middleware stands before the route", () => {
    const before = createApp(sources).routes.filter(({ path }) => path.startsWith("/webhooks") || path === "*" || path === "/*");
    expect(before.map(({ path, method }) => `${method} ${path}`)).toEqual(["ALL /webhooks/:source"]);
  });
});

test("B56 the same event id with another body doubles the effect, or drops it in silence", async () => {
  const seen: unknown[] = [];
  const { result, lines } = await logged(async () => [await field.send("B56 r1"), await field.send("B56 r2"), await field.send("B56 r3")]);
  expect(result.map(({ status }) => status)).toEqual([202, 202, 401]);
  expect(lines.filter(({ event }) => event === "payload_mismatch")).toMatchObject([
    { eventId: "evt_B_mm", digest: expect.stringMatching(/^[0-9a-f]{12}$/), otherDigest: expect.stringMatching(/^[0-9a-f]{12}$/) },
  ]);
  const mismatch = lines.find(({ event }) => event === "payload_mismatch");
  expect(mismatch?.["digest"]).not.toBe(mismatch?.["otherDigest"]);
  const handler = on("stripe", "*", async ({ tx, event, data }) => {
    seen.push(data.data.object);
    await credit({ tx, event });
  });
  await field.consume(await field.messages("evt_B_mm", 2), [handler]);
  expect(seen).toEqual([{ id: "pi_16", amount: 10 }]);
  expect(await field.books.balance("evt_B_mm")).toBe(1);
  // Operators see it on the event.
  expect(await field.row("evt_B_mm")).toMatchObject({ status: "completed", mismatches: 1 });
});

test("B57 a missing or blank event id is replaced by a random or time value", async () => {
  const asked = vi.spyOn(env.CLAIMS, "getByName");
  for (const name of ["r1", "r2", "r3", "r4", "r5"]) {
    for (let time = 0; time < 2; time++) {
      const answer = await field.send(`B57 ${name}`, { bindings: { GITHUB_WEBHOOK_SECRET: "gh-test-secret" } });
      expect([answer.status, answer.body]).toEqual([400, { error: "Missing unique webhook event ID" }]);
    }
  }
  expect(asked).not.toHaveBeenCalled();
  asked.mockRestore();
  expect(await field.count("webhook_events", "event_id ~ 'undefined|null|object'")).toBe(0);
});

test("B66 genuine retries older than the tolerance are rejected for ever", async () => {
  const { result, lines } = await logged(() => field.send("B66 r1"));
  expect([result.status, result.body]).toEqual(REFUSED);
  expect(lines).toContainEqual(
    expect.objectContaining({ reason: "timestamp_too_old", hint: expect.stringContaining("genuine, but sent 3,600 s ago") }),
  );
  // Apart from forged ones.
  const { headers } = vector("B66 r1");
  const signature = headers["stripe-signature"]?.replace(/.$/, (last) => (last === "0" ? "1" : "0")) ?? "";
  const forged = await logged(() => field.send("B66 r1", { headers: { "stripe-signature": signature } }));
  expect(forged.lines).toContainEqual(expect.objectContaining({ reason: "signature_mismatch" }));
  expect((await field.send("B66 r1", { path: "/webhooks/stripe-patient" })).outcome).toBe("queued");
});

test.each([
  ["r1", "299 s ago", 202, null],
  ["r2", "301 s ago", 401, { reason: "timestamp_too_old", hint: expect.stringContaining("sent 301 s ago, 300 s") }],
  ["r3", "299 s ahead", 202, null],
  ["r4", "301 s ahead", 401, { reason: "timestamp_in_future", hint: expect.stringContaining("dated 301 s ahead, 300 s") }],
  ["r5", "in milliseconds", 401, { reason: "timestamp_in_future", hint: expect.stringContaining("another unit") }],
])("B67 tolerance edges: %s, signed %s, is %d", async (name, _when, status, said) => {
  const { result, lines } = await logged(() => field.send(`B67 ${name}`));
  expect(result.status).toBe(status);
  if (said !== null) expect(lines).toContainEqual(expect.objectContaining(said));
});

describe("B72 the trailing CRLF of the body is part of the signed bytes", () => {
  test("B72 r1 is accepted as it came, and refused without its end", async () => {
    expect((await field.send("B72 r1")).status).toBe(202);
    const trimmed = vector("B72 r1").body.slice(0, -2);
    expect((await field.send("B72 r1", { body: trimmed })).status).toBe(401);
    const made = vector("B72 r2");
    const signature = { "x-webhook-signature": made.headers["x-signature"] ?? "", "x-webhook-id": "crlf" };
    expect((await field.send("B72 r2", { headers: signature })).status).toBe(401);
    expect((await field.send("B72 r2", { headers: signature, body: vector("B72 r1").body })).status).toBe(202);
  });
  test.each(["\n", "\r\n"])("B72 HMAC over a body with white space around it, ending in %j", async (end) => {
    const id = `evt_${crypto.randomUUID()}`;
    expect((await field.post(await delivery({ body: ` {"id":"${id}"}${end}` }))).outcome).toBe("queued");
  });
});

describe("B73 Web Crypto ECDSA wants raw r||s, and DER is sent", () => {
  test.each(["r1", "r2", "r3"])("B73 %s verifies; damaged in any way it is 401 and nothing throws", async (name) => {
    expect((await field.send(`B73 ${name}`)).status).toBe(202);
    const header = "x-twilio-email-event-webhook-signature";
    const der = Uint8Array.fromBase64(vector(`B73 ${name}`).headers[header] ?? "");
    const flipped = der.with(der.length - 1, (der.at(-1) ?? 0) ^ 1);
    const raw = new Uint8Array(64).fill(7).with(0, 0x30);
    const damaged = [flipped, der.slice(0, -1), der.slice(0, 9), new Uint8Array([...der, 0]), raw, new Uint8Array([0x30]), new Uint8Array(0)];
    for (const bytes of damaged) {
      const answer = await field.send(`B73 ${name}`, { headers: { [header]: bytes.toBase64() } });
      expect([answer.status, answer.body]).toEqual(REFUSED);
    }
  });
});

test("B94 a transport header is used as identity", async () => {
  const [first, second] = [await field.send("B94 r1"), await field.send("B94 r2")];
  expect([first.outcome, second.outcome]).toEqual(["queued", "pending"]);
  expect([first.body, second.body]).toMatchObject([{ eventId: "evt_B_hdr" }, { eventId: "evt_B_hdr" }]);
  await field.consume(await field.messages("evt_B_hdr"), [on("stripe", "*", credit)]);
  expect(await field.books.balance("evt_B_hdr")).toBe(1);
  expect(await field.count("webhook_events", "event_id ~ '^(req|ik|wrong|ray)'")).toBe(0);
});

describe("B95 invalid UTF-8 is silently replaced by U+FFFD", () => {
  test("B95 where the id has to be read from such a body: 400, no claim", async () => {
    for (const name of ["r1", "r2"]) {
      const answer = await field.send(`B95 ${name}`);
      expect([answer.status, answer.body]).toEqual([400, { error: "Malformed payload" }]);
    }
    expect((await inside("stripe", "evt_B_u8")).keys).toEqual([]);
  });
  test("B95 where a header has the id: kept bit for bit, told apart, and a dead letter after one attempt", async () => {
    const id = `evt_${crypto.randomUUID()}`;
    const bodies = [vector("B95 r1").body, vector("B95 r2").body];
    const { lines } = await logged(async () => {
      for (const body of bodies) await field.post(await delivery({ body, headers: { "x-webhook-id": id } }));
    });
    expect(lines.filter(({ event }) => event === "payload_mismatch")).toHaveLength(1);
    let ran = 0;
    await field.consume(await field.messages(id, 2), [on("generic", "*", async () => void ran++)]);
    expect([ran, await field.row(id, "generic")]).toMatchObject([0, { status: "failed", reason: "permanent", attempts: 1 }]);
    expect(await field.books.run(`select encode(body, 'hex') as hex from webhook_events where event_id = '${id}'`)).toEqual([
      { hex: bodies[0]?.toHex() },
    ]);
  });
  test.each([
    ["", "Malformed payload"],
    ["{", "Malformed payload"],
    ["null", "Missing unique webhook event ID"],
    ["[]", "Missing unique webhook event ID"],
    ['"x"', "Missing unique webhook event ID"],
  ])("B95 the signed body %j is 400", async (body, error) => {
    const answer = await field.post(await delivery({ source: "stripe", body, nowMs: T0_MS, secret: "whsec_b1test_stripe_primary" }));
    expect([answer.status, answer.body]).toEqual([400, { error }]);
  });
});

test("B96 a form-encoded delivery instead of JSON is a bad signature", async () => {
  const id = "b0000000-0000-4000-8000-000000000083";
  expect((await field.send("B96 r1", { bindings: { GITHUB_WEBHOOK_SECRET: "gh-test-secret" } })).outcome).toBe("queued");
  const seen: unknown[] = [];
  await field.consume(await field.messages(id), [on("github", "*", async ({ data }) => void seen.push(data))]);
  expect(JSON.parse((seen[0] as { payload: string }).payload)).toEqual({ action: "opened", title: "a b+c&d ü" });
  expect(await field.row(id, "github")).toMatchObject({ status: "completed" });
});

test("B100 a compressed body looks like a wrong secret, or inflates to gigabytes", async () => {
  for (const name of ["r1", "r2"]) {
    const { result, lines } = await logged(() => field.send(`B100 ${name}`));
    expect([result.status, result.body]).toEqual([415, { error: "Unsupported content encoding" }]);
    expect(lines).toContainEqual(expect.objectContaining({ reason: "unsupported_content_encoding" }));
  }
  // Nothing of a bomb is read, and so nothing is inflated.
  const pulls: number[] = [];
  const bomb = new ReadableStream<Uint8Array>(
    { pull: (controller) => (pulls.push(1), controller.enqueue(new Uint8Array(65_536))) },
    { highWaterMark: 0 },
  );
  expect((await field.send("B100 r2", { body: bomb })).status).toBe(415);
  expect(pulls).toEqual([]);
});

describe("B101 URL-based signatures break on rebuilt URLs", () => {
  const origin = "http://127.0.0.1:8787";
  const headers = { "i-twilio-idempotency-token": "B101" };
  test("B101 behind a proxy the configured base and the target as it came are what was signed", async () => {
    const answer = await field.send("B101 r1", { origin, headers });
    expect([answer.status, answer.outcome]).toEqual([200, "queued"]);
    const spoofed = { ...headers, "x-forwarded-host": "evil.example", "x-forwarded-proto": "http", forwarded: "host=evil.example" };
    expect((await field.send("B101 r1", { origin, headers: spoofed })).outcome).toBe("pending");
  });
  test("B101 a URL that the request claims for itself is not the one that was signed", async () => {
    const bindings = { PUBLIC_BASE_URL: "https://other.example.test" };
    const answer = await field.send("B101 r1", {
      origin,
      bindings,
      headers: { ...headers, "x-forwarded-host": "hooks.example.test", "x-forwarded-proto": "https" },
    });
    expect(answer.status).toBe(401);
    expect((await field.send("B101 r1", { origin, headers, path: "/webhooks/twilio?A=%C3%A9&Msg=Couldn%27t+find+it.&Retry=1" })).status).toBe(401);
  });
});

test("B71 an empty array: acknowledged, and nothing but the delivery is stored", async () => {
  const keys = await newKeys(sendgrid().scheme);
  const unsigned = {
    method: "POST",
    url: "https://hooks.example.test/webhooks/sendgrid",
    headers: {},
    id: "",
    timestampMs: T0_MS,
    body: bytesOf("[]"),
  };
  const { headers } = await sign(sendgrid().scheme, unsigned, keys);
  const answer = await field.post(new Request(unsigned.url, { method: "POST", headers, body: "[]" }), { SENDGRID_WEBHOOK_SECRET: keys.secret });
  expect(answer.status).toBe(202);
  const { eventId } = answer.body as { eventId: string };
  expect((await field.consume(await field.messages(eventId), [])).acked).toEqual([eventId]);
  expect(await field.row(eventId, "sendgrid")).toMatchObject({ status: "completed", reason: "split: 0 events" });
  expect(await field.count("webhook_events", "source = 'sendgrid'")).toBe(1);
});
