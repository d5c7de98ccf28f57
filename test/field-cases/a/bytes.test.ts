/** Field cases: bodies as providers really write them, and that what was verified is what is kept and handled. */
import { beforeAll, expect, test, vi } from "vitest";
import { sha256Hex } from "../../../src/digest.ts";
import { message } from "../../support/ledger.ts";
import { balances, on } from "../../support/own-app.ts";
import { credit, Field, isClaimed, ONCE, signedHeaders, vector } from "./field.ts";

let field: Field;
beforeAll(async () => {
  field = await Field.open("bytes");
});

/** SHA-256 of what the ledger keeps. */
const kept = async (id: string) =>
  (await field.books.run(`select encode(sha256(body), 'hex') as sha from webhook_events where event_id = '${id}'`))[0]?.["sha"];
const rejected = [401, "rejected", { error: "Invalid HMAC signature" }];

test.each([
  ["r1", "evt_B_raw1"],
  ["r2", "evt_B_raw2"],
  ["r3", "evt_B_raw3"],
])("B03 the signature is computed over re-serialised JSON, not the bytes that came: %s", async (name, id) => {
  expect((await field.send(`B03 ${name}`)).outcome).toBe("queued");
  await field.consume(await field.messages(id));
  expect(await field.counts(id)).toEqual(ONCE);
  expect(await kept(id)).toBe(vector(`B03 ${name}`).sha256);
});

test("B03 a copy with one space less verifies", async () => {
  const text = new TextDecoder().decode(vector("B03 r1").body);
  const answer = await field.send("B03 r1", { body: new TextEncoder().encode(text.replace('"id" :', '"id":')) });
  expect([answer.status, answer.outcome, answer.body]).toEqual(rejected);
});

test("B04 non-ASCII bodies fail verification", async () => {
  const id = "b0000000-0000-4000-8000-000000000008";
  expect((await field.send("B04 r1")).outcome).toBe("queued");
  let title = "";
  await field.consume(await field.messages(id), [on("github", "issues.*", async ({ data }) => void (title = (data as { title: string }).title))]);
  const expected = "naïve … 👍️ 日本語 \u2028 end";
  expect(title).toBe(expected);
  expect(await field.books.run(`select convert_from(body, 'UTF8')::jsonb ->> 'title' as title from webhook_events where event_id = '${id}'`)).toEqual(
    [{ title: expected }],
  );
});

test("B11 a sync crypto call in Workers rejects every genuine webhook", async () => {
  // The condition of the case: this is workerd, not Node.
  expect(navigator.userAgent).toBe("Cloudflare-Workers");
  expect((await field.send("B11 r1")).outcome).toBe("queued");
  await field.consume(await field.messages("evt_B_sync"));
  expect(await field.counts("evt_B_sync")).toEqual(ONCE);
  const signature = vector("B11 r1").headers["stripe-signature"] ?? "";
  const wrong = await field.send("B11 r1", { headers: { "stripe-signature": signature.slice(0, -1) + (signature.endsWith("0") ? "1" : "0") } });
  expect([wrong.status, wrong.outcome, wrong.body]).toEqual(rejected);
  expect(JSON.stringify(wrong.body)).not.toMatch(/received|ok|success/i);
});

test("B13 a jsonb column holds a quoted string instead of an object", async () => {
  expect((await field.send("B13 r1")).outcome).toBe("queued");
  let seen: unknown = null;
  const returned = { list: [1, "2", null], text: "10.5" };
  const handlers = [on("stripe", "*", { run: async ({ data }) => ((seen = data), returned), after: () => Promise.reject(new Error("still owed")) })];
  await field.consume(await field.messages("evt_B_jsonb"), handlers);
  // The payload is kept as bytes, never as jsonb; what is jsonb in the ledger are headers and an after's result.
  expect(seen).toEqual(JSON.parse(new TextDecoder().decode(vector("B13 r1").body)));
  const [row] = await field.books.run(
    `select jsonb_typeof(headers) as headers, jsonb_typeof(after_result) as result, after_result ->> 'text' as text, after_result #> '{list,1}' as two,
      convert_from(body, 'UTF8')::jsonb #>> '{data,object,a,1}' as a, jsonb_typeof(convert_from(body, 'UTF8')::jsonb #> '{data,object,s}') as s
     from webhook_events where event_id = 'evt_B_jsonb'`,
  );
  expect(row).toEqual({ headers: "object", result: "object", text: "10.5", two: "2", a: "2", s: "string" });
});

test("B21 \\u0000 in a payload is a poison pill", async () => {
  expect((await field.send("B21 r1")).outcome).toBe("queued");
  const good = await Promise.all(Array.from({ length: 4 }, () => message({ source: "stripe" })));
  const [nul] = await field.messages("evt_B_nul");
  await field.consume([...good.slice(0, 2), nul, ...good.slice(2)]);
  for (const id of ["evt_B_nul", ...good.map((one) => one.facts.id)]) expect(await field.counts(id)).toEqual(ONCE);
  expect(await kept("evt_B_nul")).toBe(vector("B21 r1").sha256);
});

test("B21 a handler that writes the \\u0000 has one attempt, and costs its batch nothing", async () => {
  const poisoned = await message({ source: "stripe", type: "poison", body: { note: "a\0b" } });
  const good = await Promise.all(Array.from({ length: 4 }, () => message({ source: "stripe" })));
  const writes = on("stripe", "poison", async ({ tx, data }) => {
    await tx.insert(balances).values({ userId: (data as unknown as { note: string }).note, balance: 1n });
  });
  const { acked } = await field.consume([...good.slice(0, 2), poisoned, ...good.slice(2)], [writes, ...credit]);
  expect(acked).toHaveLength(5);
  expect(await field.books.row(poisoned.facts.id, "stripe")).toMatchObject({ status: "failed", reason: "permanent", attempts: 1, hasBody: true });
  expect(await field.books.attempts(poisoned.facts.id)).toMatchObject([{ class: "permanent", sqlstate: "22021" }]);
  expect(await kept(poisoned.facts.id)).toBe(poisoned.facts.digest);
  for (const { facts } of good) expect(await field.counts(facts.id)).toEqual(ONCE);
});

test("B30 a webhook bigger than the queue's 128 KB is refused, or tried for ever", async () => {
  const { sha256, body } = vector("B30 r1");
  expect(await sha256Hex(body)).toBe(sha256);
  expect((await field.send("B30 r1")).outcome).toBe("queued");
  const [sent] = await field.messages("evt_B_big");
  expect(sent?.bytes).toBeNull();
  await field.consume([sent]);
  expect(await field.counts("evt_B_big")).toEqual(ONCE);
  expect(await kept("evt_B_big")).toBe(sha256);
  // Nothing is left beside the ledger once it has settled.
  expect(await field.sent("evt_B_big")).toBe(1);
});

test("B30 bodies around every limit of a message arrive", { timeout: 60_000 }, async () => {
  for (const length of [63_000, 63_999, 64_000, 64_001, 127_999, 128_000, 128_001, 131_071, 131_072, 131_073]) {
    const id = `evt_B_edge_${length}`;
    const head = `{"id":"${id}","type":"x.y","livemode":true,"pad":"`;
    const body = new TextEncoder().encode(`${head}${"a".repeat(length - head.length - 2)}"}`);
    expect(body.byteLength).toBe(length);
    const headers = await signedHeaders("stripe", body);
    expect((await field.send("B30 r1", { body, headers })).outcome).toBe("queued");
    await field.consume(await field.messages(id));
    expect(await field.counts(id)).toEqual(ONCE);
    expect(await kept(id)).toBe(await sha256Hex(body));
  }
});

/** A push of so many bytes, signed. */
async function push(length: number, id: string) {
  const body = new TextEncoder().encode(`{"p":"${"x".repeat(length - 8)}"}`);
  const headers = await signedHeaders("github", body);
  return { body, headers: { ...headers, "x-github-delivery": id, "x-github-event": "push" } };
}

test.each([457_522, 1_048_576])("B31 a big genuine delivery gets 413 and vanishes: %d bytes", async (length) => {
  const id = crypto.randomUUID();
  expect((await field.send("B04 r1", await push(length, id))).outcome).toBe("queued");
  await field.consume(await field.messages(id));
  expect(await field.counts(id)).toEqual(ONCE);
});

test("B31 over the documented limit: 413, no claim, no message, and the log says which delivery to ask for again", async () => {
  const id = crypto.randomUUID();
  const warned = vi.spyOn(console, "warn");
  const { body, headers } = await push(26_214_400, id);
  const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024)) });
  const requests: [string, BodyInit | null, Record<string, string>][] = [
    ["25 MB", body, headers],
    ["announced and never sent", null, { ...headers, "content-length": "30000000" }],
    ["endless", endless, headers],
  ];
  for (const [what, bytes, withHeaders] of requests) {
    const answer = await field.send("B04 r1", { body: bytes, headers: withHeaders });
    expect([what, answer.status, answer.body]).toEqual([what, 413, { error: "Payload too large" }]);
  }
  const lines = warned.mock.calls.map(([line]) => JSON.parse(String(line)) as unknown);
  warned.mockRestore();
  expect(lines).toMatchObject(requests.map(() => ({ event: "delivery", source: "github", eventId: id, reason: "payload_too_large", status: 413 })));
  expect(lines[1]).toMatchObject({ bytes: 30_000_000 });
  expect(await isClaimed("github", id)).toBe(false);
  expect(await field.sent(id)).toBe(0);
});
