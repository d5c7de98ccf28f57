/** Keys are fetched within bounds, remembered, and never make a forger's request cost more than one fetch. */
import { describe, expect, it } from "vitest";
import { timings } from "../../../src/core/timings.ts";
import { keyFetcher } from "../../../src/ingest/fetch-key.ts";

const TIMINGS = timings("real");
const URL_A = "https://keys.example/a.pem";

function world(answer: (url: string) => Response | Promise<Response>) {
  const asked: string[] = [];
  const clock = { nowMs: 1_767_225_600_000 };
  const fetcher = (async (input: string, init?: RequestInit) => {
    asked.push(input);
    expect(init?.redirect).toBe("manual");
    return answer(input);
  }) as typeof fetch;
  return { asked, clock, fetchKey: keyFetcher(fetcher, () => clock.nowMs)(TIMINGS) };
}

it("asks once for as long as a key is good", async () => {
  const { asked, clock, fetchKey } = world(() => new Response("PEM"));
  for (let times = 0; times < 3; times++) expect(await fetchKey({ url: URL_A })).toEqual({ ok: true, value: "PEM" });
  expect(asked).toHaveLength(1);
  clock.nowMs += TIMINGS.keyKeptMs;
  await fetchKey({ url: URL_A });
  expect(asked).toHaveLength(2);
});

it("asks again for a key set that lacks a key, once a minute", async () => {
  const { asked, clock, fetchKey } = world(() => new Response("{}"));
  await fetchKey({ url: URL_A });
  for (let times = 0; times < 5; times++) await fetchKey({ url: URL_A, fresh: true });
  expect(asked).toHaveLength(1);
  clock.nowMs += TIMINGS.keyRefusedMs;
  for (let times = 0; times < 5; times++) await fetchKey({ url: URL_A, fresh: true });
  expect(asked).toHaveLength(2);
});

it("remembers a missing key for a minute, so that a forger is not asked after again and again", async () => {
  const { asked, clock, fetchKey } = world(() => new Response("", { status: 404 }));
  for (let times = 0; times < 5; times++)
    expect(await fetchKey({ url: URL_A })).toMatchObject({ failure: { reason: "key_unknown", host: "keys.example" } });
  expect(asked).toHaveLength(1);
  clock.nowMs += TIMINGS.keyRefusedMs;
  await fetchKey({ url: URL_A });
  expect(asked).toHaveLength(2);
});

describe("a key server that is away", () => {
  it.each([
    ["answers 500", () => new Response("", { status: 500 })],
    ["answers 429", () => new Response("", { status: 429 })],
    ["redirects", () => new Response(null, { status: 302, headers: { location: "https://evil.example/" } })],
    ["does not answer", () => Promise.reject(new TypeError("network"))],
  ])("%s: unavailable, and asked again at once", async (_, answer) => {
    const { asked, fetchKey } = world(answer);
    expect(await fetchKey({ url: URL_A })).toEqual({ ok: false, failure: { reason: "key_unavailable", host: "keys.example" } });
    await fetchKey({ url: URL_A });
    expect(asked).toHaveLength(2);
  });

  it("stops nobody whose key was seen within a day", async () => {
    let isUp = true;
    const { clock, fetchKey } = world(() => (isUp ? new Response("PEM") : new Response("", { status: 503 })));
    await fetchKey({ url: URL_A });
    isUp = false;
    clock.nowMs += TIMINGS.keyStaleMs - 1;
    expect(await fetchKey({ url: URL_A })).toEqual({ ok: true, value: "PEM" });
    clock.nowMs += 1;
    expect(await fetchKey({ url: URL_A })).toMatchObject({ ok: false });
  });
});

it("reads no endless document", async () => {
  const endless = () => new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(16_384)) }));
  const { fetchKey } = world(endless);
  expect(await fetchKey({ url: URL_A })).toMatchObject({ failure: { reason: "key_unknown" } });
});

it("fetches so many a minute, however many keys requests name; known ones still serve", async () => {
  const { asked, clock, fetchKey } = world(() => new Response("", { status: 404 }));
  for (let n = 0; n < 200; n++) await fetchKey({ url: `https://keys.example/${n}.pem` });
  expect(asked).toHaveLength(60);
  expect(await fetchKey({ url: "https://keys.example/last.pem" })).toMatchObject({ failure: { reason: "key_unavailable" } });
  clock.nowMs += 60_000;
  expect(await fetchKey({ url: "https://keys.example/last.pem" })).toMatchObject({ failure: { reason: "key_unknown" } });
});

it("keys that were asked for with other credentials are other keys", async () => {
  const { asked, fetchKey } = world(() => new Response("{}"));
  await fetchKey({ url: URL_A, post: '{"kid":"1"}' });
  await fetchKey({ url: URL_A, post: '{"kid":"2"}' });
  await fetchKey({ url: URL_A, post: '{"kid":"1"}' });
  expect(asked).toHaveLength(2);
});
