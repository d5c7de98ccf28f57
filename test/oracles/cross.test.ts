/**
 * Our presets and the providers' own packages, in both directions: what the package signs we accept, what we sign the package accepts, and both refuse what
 * was changed. Bodies are the package's own: other bodies than our samples have.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Delivery as Received } from "../../src/core/delivery.ts";
import { registry } from "../../src/providers/registry.ts";
import { newKeys, sign, verify, type Signed } from "../../src/schemes/scheme.ts";
import type { Oracle, OracleRequest } from "./oracle.ts";
import { oracles } from "./oracles.ts";
import { PUBLIC_KEY } from "./packages/braintree.ts";
import { APP_KEY } from "./packages/pusher.ts";

/** Packages of providers that have no preset, and why. */
const WITHOUT_PRESET: Readonly<Record<string, string>> = {
  hygraph: "signs a JSON object made of the body and two headers",
  plivo: "signs a URL with its own sorting of parameters",
};

/** Where what an operator configures is more, or other, than what the package is given. */
const CONFIGURED: Readonly<Record<string, (verifying: string) => string>> = {
  braintree: (privateKey) => `${PUBLIC_KEY}:${privateKey}`,
  sns: () => "arn:aws:sns:eu-west-1:123456789012:topic",
};
/** What the provider's key server answers. */
const SERVED: Readonly<Record<string, (verifying: string) => string>> = { sns: (certificate) => certificate };
/** Headers that the package wants to see, and that no signature covers. */
const BESIDE: Readonly<Record<string, Readonly<Record<string, string>>>> = { pusher: { "x-pusher-key": APP_KEY } };

const URL_OURS = "https://hooks.example.com/webhooks/oracle";

async function weAccept(oracle: Oracle, request: OracleRequest, secret: string, served: string | null): Promise<string> {
  const { scheme, maxAgeSeconds = 300 } = presetOf(oracle);
  const delivery = new Received({
    method: request.method,
    url: request.url,
    headers: new Headers(Object.entries(request.headers)),
    body: new TextEncoder().encode(request.body),
  });
  const outcome = await verify(
    scheme,
    delivery,
    { current: secret, next: null },
    {
      nowMs: Date.now(),
      toleranceMs: maxAgeSeconds * 1_000,
      fetchKey: async ({ url }) =>
        served === null ? { ok: false, failure: { reason: "key_unavailable", host: new URL(url).hostname } } : { ok: true, value: served },
    },
  );
  return outcome.ok ? "accepted" : outcome.failure.reason;
}

function registered(oracle: Oracle) {
  const found = registry[oracle.provider];
  assert.ok(found, `there is no preset ${oracle.provider}`);
  return found;
}

const presetOf = (oracle: Oracle) => registered(oracle).preset();

const asOracles = (request: Signed): OracleRequest => ({
  method: request.method,
  url: request.url,
  headers: request.headers,
  body: new TextDecoder().decode(request.body),
});

/** The headers of our sample, which the package may want to see, under this body's content type. */
function outgoing(oracle: Oracle, body: string) {
  const { headers } = registered(oracle).sample(undefined, { id: "evt_42", user: "u1", amount: 5 });
  const isForm = /^[\w%.+-]+=/.test(body);
  const usual = headers["content-type"] ?? "application/json";
  const contentType = isForm ? "application/x-www-form-urlencoded" : usual.includes("form") ? "application/json" : usual;
  return {
    method: "POST",
    url: URL_OURS,
    headers: { ...headers, ...BESIDE[oracle.provider], "content-type": contentType },
    body: new TextEncoder().encode(body),
    id: "evt_42",
    timestampMs: Date.now(),
  };
}

const all = await oracles();

void test("every package has a preset, or a reason for having none", () => {
  const without = all.filter(({ provider }) => registry[provider] === undefined).map(({ provider }) => provider);
  assert.deepEqual(without.toSorted(), Object.keys(WITHOUT_PRESET).toSorted());
  assert.ok(all.length - without.length >= 30);
});

for (const oracle of all) {
  const { provider } = oracle;
  if (registry[provider] === undefined) continue;

  void test(`${provider} (${oracle.package})`, async (t) => {
    const { sign: theySign, verify: theyVerify } = oracle;
    const secrets = await oracle.secrets();
    const secret = CONFIGURED[provider]?.(secrets.verifying) ?? secrets.verifying;
    const served = SERVED[provider]?.(secrets.verifying) ?? null;
    const privateKey = /PRIVATE KEY/.test(secrets.signing) ? secrets.signing : null;
    const other = (await newKeys(presetOf(oracle).scheme)).secret;

    for (const [index, body] of oracle.bodies.entries()) {
      if (theySign !== null) {
        await t.test(`they sign body ${index}, we verify`, async () => {
          const request = await theySign({ ...outgoing(oracle, body), body }, secrets.signing);
          assert.equal(await weAccept(oracle, request, secret, served), "accepted");
          assert.notEqual(await weAccept(oracle, oracle.tamper(request), secret, served), "accepted");
          assert.notEqual(await weAccept(oracle, request, other, served), "accepted");
        });
      }
      if (theyVerify !== null) {
        await t.test(`we sign body ${index}, they verify`, async () => {
          const request = asOracles(await sign(presetOf(oracle).scheme, outgoing(oracle, body), { secret, privateKey }));
          assert.equal(await theyVerify(request, secrets.verifying), true);
          assert.equal(await theyVerify(oracle.tamper(request), secrets.verifying), false);
          assert.equal(await weAccept(oracle, request, secret, served), "accepted");
          assert.notEqual(await weAccept(oracle, oracle.tamper(request), secret, served), "accepted");
        });
      }
    }
  });
}
