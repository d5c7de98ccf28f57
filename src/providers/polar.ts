/** Polar: https://polar.sh/docs/integrate/webhooks/delivery */
import { standardWebhooks } from "../schemes/standard-webhooks.ts";
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Standard Webhooks, but the whole text of the secret is the key: nothing is decoded. */
export function polar<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "polar",
      title: "Polar",
      docs: "https://polar.sh/docs/integrate/webhooks/delivery",
      scheme: standardWebhooks("webhook", "utf8"),
      id: [header("webhook-id")],
      type: [json("type")],
      occurredAt: { from: json("timestamp"), unit: "iso" },
      hint: "{secret} is the endpoint's secret exactly as Polar shows it: encoded to base64 first, as some guides do, it is another key",
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

export const polarSample: MakeSample = (type = "order.paid", { id, user, amount, reference }) => ({
  type,
  body: {
    type,
    timestamp: new Date().toISOString(),
    data: {
      id: reference ?? id,
      created_at: "2026-01-01T00:00:00Z",
      status: "paid",
      paid: true,
      net_amount: amount,
      total_amount: amount,
      currency: "eur",
      customer: { id: `cus_${user}`, external_id: user, email: "user@example.com" },
      metadata: {},
    },
  },
  headers: { "content-type": "application/json", "user-agent": "polar.sh webhooks" },
});
