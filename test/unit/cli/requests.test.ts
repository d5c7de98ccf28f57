/** `npm run send` and `deliver` for every preset: what they sign is accepted, what they wrong is refused, and they know which events it is. */
import { describe, expect, it } from "vitest";
import { readEvents, signed } from "../../../cli/send/request.ts";
import { sampleOf } from "../../../cli/send/sample.ts";
import { impossible, signedAtMs, tampered, wrongKeys, type Variant } from "../../../cli/send/variant.ts";
import { Delivery } from "../../../src/core/delivery.ts";
import { github } from "../../../src/providers/github.ts";
import { custom, type Provider } from "../../../src/providers/provider.ts";
import { compound, digest, form, header, json, joined, literal, query } from "../../../src/providers/readers.ts";
import { registry } from "../../../src/providers/registry.ts";
import { sampleBytes } from "../../../src/providers/sample.ts";
import { newKeys, verify, type NewKeys, type Scheme, type Signed } from "../../../src/schemes/scheme.ts";
import { stripe } from "../../../src/providers/stripe.ts";

const NOW_MS = 1_767_225_600_000;
const URL_SIGNED = "https://hooks.example/webhooks/x";

const keys = new Map<string, Promise<NewKeys>>();
const keysOf = (provider: Provider): Promise<NewKeys> => {
  const made = keys.get(provider.name) ?? newKeys(provider.scheme);
  keys.set(provider.name, made);
  return made;
};

async function requestOf(provider: Provider, variant: Variant | null = null, id = "evt_1", type?: string): Promise<Signed> {
  const sample = sampleOf(provider)(type, { id, user: "u1", amount: 5 });
  const timestampMs = signedAtMs(variant, provider, NOW_MS);
  const wanted = variant === "wrong_secret" ? await wrongKeys(provider.scheme) : await keysOf(provider);
  const request = await signed({ provider, sample, body: sampleBytes(sample), id, url: URL_SIGNED, timestampMs }, wanted);
  return variant === "tamper" ? tampered(provider.scheme, request) : request;
}

/** `current`, or why it is refused. */
async function outcomeOf(provider: Provider, request: Signed): Promise<string> {
  const { secret, served } = await keysOf(provider);
  const delivery = new Delivery({ ...request, headers: new Headers(request.headers) });
  const result = await verify(
    provider.scheme,
    delivery,
    { current: secret, next: null },
    {
      nowMs: NOW_MS,
      toleranceMs: (provider.maxAgeSeconds ?? 300) * 1_000,
      fetchKey: async ({ url }) =>
        served === null ? { ok: false, failure: { reason: "key_unavailable", host: new URL(url).hostname } } : { ok: true, value: served },
    },
  );
  return result.ok ? result.value.matched : result.failure.reason;
}

const presets = Object.values(registry).map(({ preset }) => preset());

describe.each(presets.map((provider) => [provider.name, provider] as const))("%s", (_name, provider) => {
  it("is accepted, and its events are known by the names that they will have", async () => {
    const request = await requestOf(provider);
    expect(await outcomeOf(provider, request)).toBe("current");
    const read = await readEvents(provider, request);
    expect(read.events.length).toBeGreaterThan(0);
    expect(read.id.startsWith("delivery:")).toBe(provider.split !== null);
    if (provider.split === null) expect(read.events.map(({ id }) => id)).toEqual([read.id]);
  });

  it.each(["tamper", "stale", "future", "wrong_secret"] as const)("is refused with %s, or it is said why it cannot be", async (variant) => {
    if (impossible(variant, provider) !== null) {
      expect(impossible(variant, provider)).toContain(provider.title);
      return;
    }
    expect(await outcomeOf(provider, await requestOf(provider, variant))).toMatch(
      variant === "stale"
        ? /^timestamp_too_old$/
        : variant === "future"
          ? /^timestamp_in_future$/
          : /^(signature_|body_digest_|timestamp_malformed|not_for_us|key_)/,
    );
  });

  it("can be tampered with, unless it signs nothing; and a stale one is accepted where no time is signed", async () => {
    expect(impossible("tamper", provider) === null).toBe(provider.scheme.kind !== "token" && provider.scheme.kind !== "basic");
    if (impossible("stale", provider) !== null) expect(await outcomeOf(provider, await requestOf(provider, "stale"))).toBe("current");
  });
});

it("changes one byte of the body where the body is signed, and nothing else", async () => {
  for (const provider of [github(), stripe()]) {
    const before = await requestOf(provider);
    const after = tampered(provider.scheme, before);
    expect({ ...after, body: null }).toEqual({ ...before, body: null });
    expect(after.body).toHaveLength(before.body.length);
    expect(after.body.filter((byte, at) => byte !== before.body[at])).toHaveLength(1);
  }
});

it("is a day off, and further where a source allows days", () => {
  expect(signedAtMs("stale", stripe(), NOW_MS)).toBe(NOW_MS - 86_400_000);
  expect(signedAtMs("future", stripe(), NOW_MS)).toBe(NOW_MS + 86_400_000);
  expect(signedAtMs("stale", stripe({ maxAgeSeconds: 3 * 86_400 }), NOW_MS)).toBeLessThan(NOW_MS - 3 * 86_400_000 - 1);
  expect(signedAtMs(null, stripe(), NOW_MS)).toBe(NOW_MS);
});

describe("a provider that is no preset has a sample of just what its page reads", () => {
  const plain = { kind: "hmac", hash: "SHA-256", key: "utf8", timestamp: null } as const;
  const signature = { at: [header("x-signature")], form: "plain", prefix: "", encoding: "hex" } as const;
  const hmac: Scheme = { ...plain, signature, message: ["body"] };
  const page = { name: "own", id: [header("x-id")], type: [json("event.name")], scheme: hmac };

  it.each<[string, Parameters<typeof custom>[0]]>([
    ["a header and a nested field", page],
    [
      "a compound, and a type of two parts",
      { ...page, id: [compound(json("a.b"), header("x-part"))], type: [joined(header("x-object"), json("action"))] },
    ],
    ["a digest", { ...page, id: [digest()], type: [] }],
    ["a form and a query", { ...page, id: [form("event_id")], type: [query("type")] }],
    ["JSON in a form", { ...page, id: [json("id", form("payload"))], type: [json("type", form("payload"))] }],
    ["a constant type", { ...page, type: [literal("ping")] }],
    ["a signed header", { ...page, scheme: { ...plain, signature, message: [header("x-region"), "body"] } }],
    ["a token", { ...page, scheme: { kind: "token", at: header("authorization"), prefix: "Bearer " } }],
    ["only events of a mode", { ...page, only: [{ at: json("mode"), is: "live" }] }],
    ["a split", { ...page, id: [digest()], type: [], split: { items: ["events"], id: [json("uid")], type: [json("kind")], occurredAt: null } }],
    [
      "a split of splits",
      { ...page, id: [digest()], type: [], split: { items: ["entry", "*", "changes"], id: [json("uid")], type: [json("kind")], occurredAt: null } },
    ],
  ])("%s", async (name, about) => {
    const provider = custom({ ...about, name: `own ${name}` });
    const request = await requestOf(provider, null, "evt_7", "order.paid");
    expect(await outcomeOf(provider, request)).toBe("current");
    const read = await readEvents(provider, request);
    expect(read.events).toHaveLength(1);
    if (!name.includes("digest")) expect(read.events[0]?.id).toContain("evt_7");
    if (provider.type.length > 0) expect(read.events[0]?.type).toBe(name === "a constant type" ? "ping" : "order.paid");
    if (provider.split !== null) expect(read.events[0]).toEqual({ id: "evt_7", type: "order.paid" });
    expect((await readEvents(provider, await requestOf(provider, null, "evt_8"))).events[0]?.id).not.toBe(read.events[0]?.id);
  });
});

describe("readEvents says what is wrong with a file", () => {
  const body = (text: string) => ({ method: "POST", url: URL_SIGNED, headers: {}, body: new TextEncoder().encode(text) });
  it("that is not JSON, has no id, or holds no events", async () => {
    await expect(readEvents(stripe(), body("id=1"))).rejects.toThrow('not JSON, and Stripe keeps the event\'s id in "id" in the body');
    await expect(readEvents(github(), body("{}"))).rejects.toThrow("GitHub keeps it in the header x-github-delivery");
    const split = registry["adyen"]?.preset() ?? stripe();
    await expect(readEvents(split, body('{"id":1}'))).rejects.toThrow('no array of events at "notificationItems"');
  });
});
