/** Replicate: https://replicate.com/docs/topics/webhooks/verify-webhook */
import { standardWebhooks } from "../schemes/standard-webhooks.ts";
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** A prediction gives several events, and its id is in each: the event's is the message's. The type is the prediction's status. */
export function replicate<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "replicate",
      title: "Replicate",
      docs: "https://replicate.com/docs/topics/webhooks/verify-webhook",
      scheme: standardWebhooks("webhook"),
      id: [header("webhook-id")],
      type: [json("status")],
      hint: "{secret} is the account's default webhook secret (GET /v1/webhooks/default/secret), whsec_ and base64; it is not an API token (r8_...)",
      facts: {
        proof: "package",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: null,
        unverified: ["A retry carries the same webhook-id, as Standard Webhooks demands it."],
      },
    },
    options,
  );
}

/** Its id and timestamp headers come with the signature. */
export const replicateSample: MakeSample = (type = "succeeded", { id, user, amount, reference }) => ({
  type,
  body: {
    id: reference ?? id,
    model: "replicate/hello-world",
    version: "5c7d5dc6dd8bf75c1acaa8565735e7986bc5b66206b55cca93cb72c9bf15ccaa",
    input: { text: user },
    output: ["https://replicate.delivery/output.png"],
    status: type,
    created_at: "2026-01-01T00:00:00.000000Z",
    completed_at: "2026-01-01T00:00:01.000000Z",
    metrics: { predict_time: amount },
  },
  headers: { "content-type": "application/json" },
});
