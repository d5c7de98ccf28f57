/** docs/custom-providers.md: its code is the file that is compiled and run here, and each sender is made by hand, from the page's own words. */
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readEvents, signed } from "../../../cli/send/request.ts";
import { sampleOf } from "../../../cli/send/sample.ts";
import { Delivery } from "../../../src/core/delivery.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import { sampleBytes } from "../../../src/providers/sample.ts";
import { newKeys, verify, type Signed } from "../../../src/schemes/scheme.ts";
import { sources } from "../../support/custom-sources.ts";

const ROOT = join(import.meta.dirname, "../../..");
const NOW_MS = 1_767_225_600_000;
const KEY = Buffer.alloc(32, 7);

const posted = (headers: Readonly<Record<string, string>>, body: object | string): Signed => ({
  method: "POST",
  url: "https://hooks.example/webhooks/x",
  headers: { "content-type": "application/json", ...headers },
  body: new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body)),
});

async function outcomeOf(provider: Provider, request: Signed, secret: string, nowMs = NOW_MS): Promise<string> {
  const delivery = new Delivery({ ...request, headers: new Headers(request.headers) });
  const fetchKey = () => Promise.reject(new Error("no key is fetched"));
  const result = await verify(provider.scheme, delivery, { current: secret, next: null }, { nowMs, toleranceMs: 300_000, fetchKey });
  return result.ok ? result.value.matched : result.failure.reason;
}

it("the page's code is the code that is compiled and run", () => {
  const page = readFileSync(join(ROOT, "docs/custom-providers.md"), "utf8");
  const code = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block).join("\n");
  const [, ...file] = readFileSync(join(ROOT, "test/support/custom-sources.ts"), "utf8").split("\n");
  expect(code).toBe(file.join("\n"));
});

it("HMAC with a timestamp", async () => {
  const body = JSON.stringify({ id: "evt_1", type: "parcel.delivered", parcel: { number: "P1" }, created_at: "2026-01-01T00:00:00Z" });
  const time = String(NOW_MS / 1_000);
  const mac = createHmac("sha256", "a secret").update(`${time}.${body}`).digest("hex");
  const request = posted({ "x-acme-signature": `t=${time},v1=${mac}` }, body);
  expect(await outcomeOf(sources.acme, request, "a secret")).toBe("current");
  expect(await outcomeOf(sources.acme, request, "another")).toBe("signature_mismatch");
  expect(await outcomeOf(sources.acme, request, "a secret", NOW_MS + 301_000)).toBe("timestamp_too_old");
  expect(await readEvents(sources.acme, request)).toEqual({ id: "evt_1", events: [{ id: "evt_1", type: "parcel.delivered" }] });
});

it("a fixed token", async () => {
  const request = posted({ authorization: "Bearer a long token" }, { job: { id: "j1", state: "done" } });
  expect(await outcomeOf(sources["printer-berlin"], request, "a long token")).toBe("current");
  expect(await outcomeOf(sources["printer-berlin"], request, "another token")).toBe("signature_mismatch");
  expect((await readEvents(sources["printer-berlin"], request)).events).toEqual([{ id: "j1:done", type: "job.done" }]);
});

it("several events in one delivery", async () => {
  const body = JSON.stringify({
    readings: [
      { reading_id: "r1", kind: "heat", value: 1 },
      { reading_id: "r2", kind: "power", value: 2 },
    ],
  });
  const request = posted({ "x-signature": createHmac("sha256", KEY).update(body).digest("base64") }, body);
  expect(await outcomeOf(sources.meters, request, KEY.toString("base64"))).toBe("current");
  expect(await outcomeOf(sources.meters, { ...request, body: new TextEncoder().encode(`${body} `) }, KEY.toString("base64"))).toBe(
    "signature_mismatch",
  );
  const { id, events } = await readEvents(sources.meters, request);
  expect(id).toMatch(/^delivery:sha256:[0-9a-f]{64}$/);
  expect(events).toEqual([
    { id: "r1", type: "heat" },
    { id: "r2", type: "power" },
  ]);
});

it("`npm run send` has a payload for each", async () => {
  for (const provider of Object.values(sources) as readonly Provider[]) {
    const keys = await newKeys(provider.scheme);
    const sample = sampleOf(provider)("parcel.delivered", { id: "evt_1", user: "u", amount: 5 });
    const request = await signed(
      { provider, sample, body: sampleBytes(sample), id: "evt_1", url: "https://hooks.example/webhooks/x", timestampMs: NOW_MS },
      keys,
    );
    expect(await outcomeOf(provider, request, keys.secret)).toBe("current");
    expect((await readEvents(provider, request)).events).toHaveLength(1);
  }
});
