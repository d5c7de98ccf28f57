/** Box: https://developer.box.com/guides/webhooks/v2/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** V2 webhooks. An application has two keys, and Box signs with both: set one and, during a rotation, both. */
export function box<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "box",
      title: "Box",
      docs: "https://developer.box.com/guides/webhooks/v2/",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("box-signature-primary"), header("box-signature-secondary")], form: "plain", prefix: "", encoding: "base64" },
        message: ["body", "timestamp"],
        timestamp: { at: header("box-delivery-timestamp"), unit: "iso" },
      },
      maxAgeSeconds: 600,
      // Not box-delivery-id: "when Box retries a webhook this ID will change, while the ID in the payload body remains the same".
      id: [json("id")],
      type: [json("trigger")],
      occurredAt: { from: json("created_at"), unit: "iso" },
      hint: "{secret} is the primary signature key under Webhooks, Manage signature keys of the app (the secondary one goes into {secret}_NEXT); the client secret signs nothing",
      facts: { proof: "vector", checked: "2026-11-30", sameIdOnRetry: true, ackSeconds: null, unverified: [] },
    },
    options,
  );
}

export const boxSample: MakeSample = (type = "FILE.UPLOADED", { id, user, amount, reference }) => ({
  type,
  body: {
    type: "webhook_event",
    id,
    created_at: "2026-01-01T00:00:00-08:00",
    trigger: type,
    webhook: { id: "1234567890", type: "webhook" },
    created_by: { type: "user", id: user, name: user },
    source: { type: "file", id: "1234567890", name: `${reference ?? id}.pdf`, size: amount },
    additional_info: [],
  },
  headers: {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Box-WH-Client/0.1",
    "box-delivery-id": "673a081b-bb4b-4d45-b4f1-4131a29c1d07",
    "box-signature-algorithm": "HmacSHA256",
    "box-signature-version": "1",
  },
});
