/** The contract, for every preset of the registry: pure data, documented, with a sample that it verifies and identifies. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { samples } from "../../../cli/samples/samples.ts";
import { identify } from "../../../src/ingest/identify.ts";
import { github } from "../../../src/providers/github.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import { registry } from "../../../src/providers/registry.ts";
import { stripe } from "../../../src/providers/stripe.ts";
import { bytes, only, outcome, PRESETS, signed } from "../schemes/requests.ts";

const providersFolder = join(import.meta.dirname, "../../../src/providers");
const PARTS = ["explain.ts", "provider.ts", "readers.ts", "registry.ts"];

it("the registry holds every preset, and each has a sample and a secret to test with", () => {
  const files = readdirSync(providersFolder).filter((file) => !PARTS.includes(file));
  expect(files.toSorted()).toEqual(
    Object.keys(registry)
      .map((name) => `${name}.ts`)
      .toSorted(),
  );
  expect(Object.keys(samples).toSorted()).toEqual(Object.keys(registry).toSorted());
  expect(PRESETS.map(({ provider }) => provider.name).toSorted()).toEqual(Object.keys(registry).toSorted());
});

describe.each(Object.entries(registry))("%s", (name, make) => {
  const text = readFileSync(join(providersFolder, `${name}.ts`), "utf8");

  it("is data: it survives JSON", () => {
    expect(JSON.parse(JSON.stringify(make()))).toEqual(make());
  });

  it("is named as its file, with its page on the first line, and stays a page", () => {
    const provider = make();
    expect(provider.name).toBe(name);
    expect(provider.docs).toMatch(name === "generic" ? /^README/ : /^https:\/\//);
    expect(text.split("\n")[0]).toContain(provider.docs);
    expect(text.split("\n").length).toBeLessThanOrEqual(60);
    expect(text).not.toMatch(/async|await|crypto|fetch|\bif\b|=> \{/);
  });

  it("names its headers in lower case", () => {
    const names = [...JSON.stringify(make()).matchAll(/"(?:header|id)":"([^"]+)"/g)].map(([, header]) => header);
    for (const header of names) expect(header).toBe(header?.toLowerCase());
  });

  it("verifies and identifies its own sample", async () => {
    const provider = make();
    const secret = PRESETS.find(({ provider: preset }) => preset.name === name)?.secret ?? "";
    const sample = samples[name]?.(undefined, { id: "evt_42", user: "u_1", amount: 1_250, reference: "order-7" });
    if (sample === undefined) throw new Error("no sample");
    const body = bytes(JSON.stringify(sample.body));
    const headers = { ...sample.headers, ...(await signed(provider, secret, body, undefined, "evt_42")) };
    expect(await outcome(provider, headers, body, only(secret))).toBe("current");
    expect(identify(provider, new Headers(headers), body)).toMatchObject({
      ok: true,
      value: { id: "evt_42", type: sample.type, idDisagrees: false },
    });
  });
});

it("whether the signature covers the id follows from the data", () => {
  const idSigned = (provider: Provider, headers: Record<string, string>, body: string) => {
    const result = identify(provider, new Headers(headers), bytes(body));
    return result.ok ? result.value.idSigned : null;
  };
  const { generic, standard } = registry;
  if (generic === undefined || standard === undefined) throw new Error("presets missing");
  expect(idSigned(stripe(), {}, '{"id":"evt_1"}')).toBe(true);
  expect(idSigned(github(), { "x-github-delivery": "d-1" }, "{}")).toBe(false);
  expect(idSigned(standard(), { "webhook-id": "msg_1" }, "{}")).toBe(true);
  expect(idSigned(generic(), { "x-webhook-id": "1" }, '{"id":"1"}')).toBe(false);
  expect(idSigned(generic(), {}, '{"id":"1"}')).toBe(true);
});
