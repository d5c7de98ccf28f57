/** A refusal is explained in words that a newcomer can act on, without a secret, a signature or the payload. */
import { expect, it } from "vitest";
import type { Rejection } from "../../../src/core/reasons.ts";
import { explain } from "../../../src/providers/explain.ts";
import { stripe } from "../../../src/providers/stripe.ts";
import { verify } from "../../../src/schemes/scheme.ts";
import { at, bytes, NOW_MS, request, TOLERANCE_MS } from "../schemes/requests.ts";

const VARIABLE = "STRIPE_EU_WEBHOOK_SECRET";
const window = { nowMs: NOW_MS, toleranceMs: TOLERANCE_MS };

it.each<[Rejection, string]>([
  [{ reason: "secret_missing" }, "no secret is configured: set STRIPE_EU_WEBHOOK_SECRET"],
  [{ reason: "secret_malformed", secret: "next", expected: "whsec_ and base64" }, "STRIPE_EU_WEBHOOK_SECRET_NEXT cannot be a key"],
  [{ reason: "signature_missing", place: "the header stripe-signature" }, "there is no signature in the header stripe-signature"],
  [{ reason: "signature_malformed", place: "the header stripe-signature", expected: "t=<digits>" }, "has the form t=<digits>"],
  [{ reason: "signed_part_missing", place: "the header webhook-id" }, "the signature covers the header webhook-id, which is missing"],
  [
    { reason: "signed_part_malformed", place: '"eventCode" in the body', expected: "text without a colon" },
    'the signature is right, but "eventCode" in the body is not text without a colon',
  ],
  [
    { reason: "unverified_too_large", place: "the form in the body", limit: "1,000 fields" },
    "has to be read out of the form in the body first, and of what nobody has verified yet at most 1,000 fields",
  ],
  [{ reason: "timestamp_missing", place: "the header stripe-signature" }, "no timestamp in the header stripe-signature"],
  [{ reason: "timestamp_malformed", place: "the header stripe-signature", expected: "Unix seconds" }, "not one time in Unix seconds"],
  [{ reason: "timestamp_too_old", sentAtMs: NOW_MS - 3_600_000, ...window }, "genuine, but sent 3,600 s ago, 300 s are allowed"],
  [{ reason: "timestamp_in_future", sentAtMs: NOW_MS + 301_000, ...window }, "genuine, but dated 301 s ahead"],
  [{ reason: "body_digest_mismatch", place: "the claim sha256" }, "the claim sha256 has the digest of another body"],
  [{ reason: "not_for_us", place: '"TopicArn" in the body' }, '"TopicArn" in the body names somebody else'],
  [{ reason: "key_not_allowed", place: "the header paypal-cert-url" }, "names a key that Stripe does not publish"],
  [{ reason: "key_unknown", host: "keys.example" }, "keys.example does not have the key"],
  [{ reason: "key_budget_spent", host: "keys.example" }, "too many requests name new keys of keys.example"],
  [{ reason: "key_unavailable", host: "keys.example" }, "keys.example, which publishes Stripe's keys, cannot be reached"],
  [
    { reason: "signature_mismatch", secretsTried: 1, signaturesTried: 2, bodyBytes: 2_311 },
    "no match: 1 secret tried on 2 signatures, body 2,311 bytes; each endpoint has its own secret, and the Stripe CLI signs with yet another: set STRIPE_EU_WEBHOOK_SECRET_NEXT",
  ],
])("$reason", (rejection, expected) => {
  expect(explain(rejection, stripe(), VARIABLE)).toContain(expected);
});

it("leaks nothing of what was sent or configured", async () => {
  const canaries = ["c0ffee".repeat(10) + "c0ff", "CANARY-4242", "whsec_canary"];
  const headers = { "stripe-signature": `t=1767225600,v1=${canaries[0]}` };
  const result = await verify(stripe().scheme, request(headers, bytes('{"card":"CANARY-4242"}')), { current: "whsec_canary", next: null }, at());
  if (result.ok) throw new Error("a forgery passed");
  const said = JSON.stringify(result.failure) + explain(result.failure, stripe(), VARIABLE);
  for (const canary of canaries) expect(said).not.toContain(canary);
});

it("names the URL where the signature covers it, since it is the first thing to look at", () => {
  const mismatch = { reason: "signature_mismatch", secretsTried: 1, signaturesTried: 1, bodyBytes: 2 } as const;
  expect(explain(mismatch, stripe(), VARIABLE, "https://hooks.example/webhooks/square")).toContain(
    "URL https://hooks.example/webhooks/square (from PUBLIC_BASE_URL",
  );
});
