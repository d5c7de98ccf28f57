/** Proof that neither side of ours made: vectors from specifications and providers, and the providers' own packages. */
import { sign as octokitSign, verify as octokitVerify } from "@octokit/webhooks-methods";
import { Webhook } from "standardwebhooks";
import { Stripe } from "stripe";
import { describe, expect, it } from "vitest";
import genericVectors from "../../vectors/generic.json" with { type: "json" };
import githubVectors from "../../vectors/github.json" with { type: "json" };
import standardVectors from "../../vectors/standard.json" with { type: "json" };
import stripeVectors from "../../vectors/stripe.json" with { type: "json" };
import { registry } from "../../../src/providers/registry.ts";
import { github } from "../../../src/providers/github.ts";
import { standard } from "../../../src/providers/standard.ts";
import { stripe } from "../../../src/providers/stripe.ts";
import { bytes, NOW_MS, only, outcome, signed } from "./requests.ts";

interface Vector {
  readonly what: string;
  readonly secret: string;
  readonly headers: object;
  readonly body: string;
  readonly nowMs: number;
  /** `current`, or the reason of the rejection. */
  readonly outcome: string;
  readonly source: string;
}

const vectors: Readonly<Record<string, readonly Vector[]>> = {
  generic: genericVectors,
  github: githubVectors,
  standard: standardVectors,
  stripe: stripeVectors,
};

it("every preset has vectors, at least one of them authentic", () => {
  expect(Object.keys(vectors).toSorted()).toEqual(Object.keys(registry).toSorted());
  for (const list of Object.values(vectors)) expect(list.some(({ outcome: expected }) => expected === "current")).toBe(true);
});

describe.each(Object.entries(vectors))("%s", (name, list) => {
  it.each(list)("$what ($source): $outcome", async (vector) => {
    const provider = registry[name]?.();
    if (provider === undefined) throw new Error(`no preset ${name}`);
    const headers = { ...vector.headers } as Record<string, string>;
    expect(await outcome(provider, headers, bytes(vector.body), only(vector.secret), vector.nowMs)).toBe(vector.outcome);
  });
});

const PAYLOADS = ["{}", '{"id":"evt_1","type":"a.b"}', '{"note":"naïve 👍️ 日本語 \u2028"}\r\n', '{"a":"x,y=z v1,abc"}'];
const nowSeconds = NOW_MS / 1_000;

describe.each(PAYLOADS)("with the providers' own packages: %j", (payload) => {
  it("stripe signs, we verify; we sign, stripe verifies", async () => {
    const secret = "whsec_test_secret";
    const client = new Stripe("sk_test_x");
    const header = client.webhooks.generateTestHeaderString({ payload, secret, timestamp: nowSeconds });
    expect(await outcome(stripe(), { "stripe-signature": header }, bytes(payload), only(secret))).toBe("current");
    const ours = await signed(stripe(), secret, bytes(payload), Date.now());
    expect(client.webhooks.signature?.verifyHeader(payload, ours["stripe-signature"] ?? "", secret, 300)).toBe(true);
  });

  it("octokit signs, we verify; we sign, octokit verifies", async () => {
    const secret = "It's a Secret to Everybody";
    expect(await outcome(github(), { "x-hub-signature-256": await octokitSign(secret, payload) }, bytes(payload), only(secret))).toBe("current");
    const ours = await signed(github(), secret, bytes(payload));
    expect(await octokitVerify(secret, payload, ours["x-hub-signature-256"] ?? "")).toBe(true);
  });

  it("standardwebhooks signs, we verify; we sign, standardwebhooks verifies", async () => {
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const webhook = new Webhook(secret);
    const headers = {
      "webhook-id": "msg_1",
      "webhook-timestamp": String(nowSeconds),
      "webhook-signature": webhook.sign("msg_1", new Date(NOW_MS), payload),
    };
    expect(await outcome(standard(), headers, bytes(payload), only(secret))).toBe("current");
    const ours = await signed(standard(), secret, bytes(payload), Date.now());
    expect(() => webhook.verify(payload, ours, { jsonParse: false })).not.toThrow();
  });
});
