/** PagerDuty: https://developer.pagerduty.com/docs/verifying-webhook-signatures */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/**
 * V3 webhook subscriptions. The id is the event's, which is signed; X-Webhook-Id, which PagerDuty recommends, is another one for each subscription.
 * What is answered with 4xx (429 excepted) is dropped and never comes again.
 */
export function pagerduty<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "pagerduty",
      title: "PagerDuty",
      docs: "https://developer.pagerduty.com/docs/verifying-webhook-signatures",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        // One for each secret while it is rotated: v1=...,v1=...
        signature: { at: [{ header: "x-pagerduty-signature" }], form: "pairs", signatureKey: "v1", timestampKey: null, encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [json("event.id")],
      type: [json("event.event_type")],
      occurredAt: { from: json("event.occurred_at"), unit: "iso" },
      hint: "{secret} is the secret that the answer to creating the webhook subscription shows, once; it is not an API key",
      facts: { proof: "documentation", checked: "2026-11-30", sameIdOnRetry: true, ackSeconds: 5, unverified: [] },
    },
    options,
  );
}

export const pagerdutySample: MakeSample = (type = "incident.triggered", { id, user, amount, reference }) => ({
  type,
  body: {
    event: {
      id,
      event_type: type,
      resource_type: type.split(".")[0],
      occurred_at: new Date().toISOString(),
      agent: { id: user, type: "user_reference", summary: "Tenex Engineer" },
      client: null,
      data: {
        id: "PGR0VU2",
        type: "incident",
        number: amount,
        status: "triggered",
        incident_key: reference ?? id,
        title: "A little bump in the road",
      },
    },
  },
  headers: {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "PagerDuty-Webhook/V3.0",
    "x-webhook-id": `webhook-${id}`,
    "x-webhook-subscription": "PXXXXXX",
  },
});
