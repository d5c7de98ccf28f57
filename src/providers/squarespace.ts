/** Squarespace: https://developers.squarespace.com/webhooks/verifying-notifications */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function squarespace<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "squarespace",
      title: "Squarespace",
      docs: "https://developers.squarespace.com/webhooks/verifying-notifications",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "hex",
        signature: { at: [header("squarespace-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [json("id")],
      type: [json("topic")],
      occurredAt: { from: json("createdOn"), unit: "iso" },
      hint: "{secret} is the secret of the webhook subscription, hex digits, shown only when it is created or rotated; after a rotation the old one is void at once",
      facts: {
        proof: "documentation",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["That a retry carries the same notification id is not documented."],
      },
    },
    options,
  );
}

/** https://developers.squarespace.com/webhooks/overview */
export const squarespaceSample: MakeSample = (type = "order.create", { id, user, amount, reference }) => ({
  type,
  body: {
    id,
    websiteId: "5f3c3d55ac435e1a051f77b3",
    subscriptionId: "5f3c2155d947844beedda991",
    topic: type,
    createdOn: new Date().toISOString(),
    data: { orderId: reference ?? id, user, amount },
  },
  headers: { "content-type": "application/json", "user-agent": "Squarespace/1.0" },
});
