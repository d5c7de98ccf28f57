/** Keys are fetched within bounds and remembered, and no flood of forgeries costs a genuine delivery its key. */
import { describe, expect, it } from "vitest";
import { timings } from "../../../src/core/timings.ts";
import type { KeyRequest } from "../../../src/schemes/scheme.ts";
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
  const keysOf = keyFetcher(fetcher, () => clock.nowMs);
  /** As one request that turns out a forgery. */
  const fetchKey = (request: KeyRequest, source = "a") => keysOf(source, TIMINGS).fetchKey(request);
  /** As one whose signature is right. */
  const verify = async (request: KeyRequest, source = "a") => {
    const keys = keysOf(source, TIMINGS);
    const outcome = await keys.fetchKey(request);
    keys.verified();
    return outcome;
  };
  return { asked, clock, fetchKey, verify };
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
  ])("%s: asked once more, and again by the next request", async (_, answer) => {
    const { asked, fetchKey } = world(answer);
    expect(await fetchKey({ url: URL_A })).toEqual({ ok: false, failure: { reason: "key_unavailable", host: "keys.example" } });
    await fetchKey({ url: URL_A });
    expect(asked).toHaveLength(4);
  });

  it("is no proof of a forgery, whoever names the address: a genuine event must be able to come again", async () => {
    let isUp = true;
    const { clock, fetchKey, verify } = world(() => (isUp ? new Response("PEM") : new Response("", { status: 503 })));
    await verify({ url: URL_A, named: true });
    isUp = false;
    expect(await fetchKey({ url: "https://keys.example/new.pem", named: true })).toMatchObject({ failure: { reason: "key_unavailable" } });
    clock.nowMs += TIMINGS.keyStaleMs;
    expect(await fetchKey({ url: URL_A, named: true })).toMatchObject({ failure: { reason: "key_unavailable" } });
    expect(await fetchKey({ url: URL_A, named: true }, "b")).toMatchObject({ failure: { reason: "key_unavailable" } });
    expect(await fetchKey({ url: "https://keys.example/set" })).toMatchObject({ failure: { reason: "key_unavailable" } });
  });

  it("that stumbles once costs nobody an event", async () => {
    let stumbles = 1;
    const { fetchKey } = world(() => new Response("PEM", { status: stumbles-- > 0 ? 500 : 200 }));
    expect(await fetchKey({ url: URL_A, named: true })).toEqual({ ok: true, value: "PEM" });
  });

  it("is not asked by every request while what was seen lately serves", async () => {
    let isUp = true;
    const { asked, clock, fetchKey } = world(() => (isUp ? new Response("PEM") : new Response("", { status: 503 })));
    await fetchKey({ url: URL_A });
    isUp = false;
    clock.nowMs += TIMINGS.keyKeptMs;
    for (let times = 0; times < 5; times++) expect(await fetchKey({ url: URL_A })).toEqual({ ok: true, value: "PEM" });
    expect(asked).toHaveLength(3);
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

const forged = (n: number): KeyRequest => ({ url: `https://keys.example/forged-${n}.pem`, named: true });
const GENUINE: KeyRequest = { url: URL_A, named: true };

describe("a flood of forgeries that name new keys", () => {
  it("makes so many fetches a minute and no more", async () => {
    const { asked, clock, fetchKey } = world(() => new Response("", { status: 404 }));
    for (let n = 0; n < 200; n++) await fetchKey(forged(n));
    expect(asked).toHaveLength(60);
    expect(await fetchKey(forged(200))).toMatchObject({ failure: { reason: "key_budget_spent", host: "keys.example" } });
    clock.nowMs += 60_000;
    expect(await fetchKey(forged(200))).toMatchObject({ failure: { reason: "key_unknown" } });
  });

  it("at made-up hosts, where a preset would allow them, makes no more than that at a few", async () => {
    const { asked, fetchKey } = world(() => new Response("", { status: 404 }));
    for (let n = 0; n < 200; n++) await fetchKey({ url: `https://${n}.keys.example/a.pem`, named: true });
    expect(asked).toHaveLength(8);
  });

  it("spends no fetch of another source, of another host, or of an address that is fixed", async () => {
    const { fetchKey } = world((url) => (url.includes("forged") ? new Response("", { status: 404 }) : new Response("PEM")));
    for (let n = 0; n < 200; n++) await fetchKey(forged(n));
    expect(await fetchKey(GENUINE)).toMatchObject({ failure: { reason: "key_budget_spent" } });
    expect(await fetchKey(GENUINE, "b")).toEqual({ ok: true, value: "PEM" });
    expect(await fetchKey({ url: "https://other.example/a.pem", named: true })).toEqual({ ok: true, value: "PEM" });
    expect(await fetchKey({ url: "https://keys.example/set" })).toEqual({ ok: true, value: "PEM" });
  });

  it("does not keep an address from being asked again that once verified a signature", async () => {
    const { asked, clock, fetchKey, verify } = world((url) => (url.includes("forged") ? new Response("", { status: 404 }) : new Response("PEM")));
    await verify(GENUINE);
    clock.nowMs += TIMINGS.keyKeptMs;
    for (let n = 0; n < 200; n++) await fetchKey(forged(n));
    const before = asked.length;
    expect(await verify(GENUINE)).toEqual({ ok: true, value: "PEM" });
    expect(asked).toHaveLength(before + 1);
  });

  it.each([
    ["exist", 200],
    ["do not exist", 404],
  ])("pushes out no key that verified a signature, whether the new ones %s or not", async (_, status) => {
    const { asked, clock, fetchKey, verify } = world((url) => new Response("PEM", { status: url.includes("forged") ? status : 200 }));
    await verify(GENUINE);
    for (let minute = 0; minute < 5; minute++) {
      for (let n = 0; n < 60; n++) await fetchKey(forged(100 * minute + n));
      clock.nowMs += 60_000;
    }
    const before = asked.length;
    expect(await verify(GENUINE)).toEqual({ ok: true, value: "PEM" });
    expect(asked).toHaveLength(before);
  });

  it("that name missing ones pushes out no document that was just fetched", async () => {
    const { asked, fetchKey } = world((url) => new Response("PEM", { status: url.includes("forged") ? 404 : 200 }));
    await fetchKey(GENUINE);
    for (let n = 0; n < 40; n++) await fetchKey(forged(n));
    expect(await fetchKey(GENUINE)).toEqual({ ok: true, value: "PEM" });
    expect(asked).toHaveLength(41);
  });
});

it("of many keys that verified signatures, the one that did so longest ago is forgotten first", async () => {
  const { asked, verify } = world(() => new Response("PEM"));
  const nth = (n: number): KeyRequest => ({ url: `https://keys.example/genuine-${n}.pem`, named: true });
  for (let n = 0; n < 16; n++) await verify(nth(n));
  await verify(nth(0));
  await verify(nth(16));
  await verify(nth(0));
  expect(asked).toHaveLength(17);
  await verify(nth(1));
  expect(asked).toHaveLength(18);
});

it("a key that was withdrawn is noticed within the hour, however much is signed with it", async () => {
  let status = 200;
  const { clock, verify } = world(() => new Response("PEM", { status }));
  await verify(GENUINE);
  status = 404;
  for (let minute = 0; minute < 59; minute++) {
    clock.nowMs += 60_000;
    expect(await verify(GENUINE)).toMatchObject({ ok: true });
  }
  clock.nowMs += 60_000;
  expect(await verify(GENUINE)).toMatchObject({ failure: { reason: "key_unknown" } });
});

it("keys that were asked for with other credentials are other keys", async () => {
  const { asked, fetchKey } = world(() => new Response("{}"));
  await fetchKey({ url: URL_A, post: '{"kid":"1"}' });
  await fetchKey({ url: URL_A, post: '{"kid":"2"}' });
  await fetchKey({ url: URL_A, post: '{"kid":"1"}' });
  expect(asked).toHaveLength(2);
});
