/** Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
import { standardWebhooks, standardWebhooksAsymmetric } from "../schemes/standard-webhooks.ts";
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface StandardOptions extends SourceOptions {
  /** `v1` (HMAC, secret `whsec_...`) is what nearly all send; `v1a` is Ed25519, the secret is the public key `whpk_...`. */
  readonly algorithm?: "v1" | "v1a";
}

export function standard<Data = unknown>({ algorithm = "v1", ...options }: StandardOptions = {}): Provider<Data> {
  return preset(
    {
      name: "standard",
      title: "Standard Webhooks",
      docs: "https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md",
      scheme: algorithm === "v1" ? standardWebhooks("webhook") : standardWebhooksAsymmetric("webhook"),
      id: [header("webhook-id")],
      type: [json("type")],
      occurredAt: { from: json("timestamp"), unit: "iso" },
      hint: "{secret} is the endpoint's signing secret, whsec_ and base64, copied whole",
      facts: { proof: "vector", checked: "2026-11-29", sameIdOnRetry: true, ackSeconds: 15, unverified: [] },
    },
    options,
  );
}

/** The payload that the specification recommends; its id and timestamp headers come with the signature. */
export const standardSample: MakeSample = (type = "invoice.paid", { id, user, amount, reference }) => ({
  type,
  body: { type, timestamp: new Date().toISOString(), data: { id: reference ?? id, userId: user, amount } },
  headers: { "content-type": "application/json" },
});
