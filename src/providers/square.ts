/** Square: https://developer.squareup.com/docs/webhooks/step3validate */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function square<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "square",
      title: "Square",
      docs: "https://developer.squareup.com/docs/webhooks/step3validate",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        // An older x-square-signature (SHA-1) may stand beside it: it is not read.
        signature: { at: [header("x-square-hmacsha256-signature")], form: "plain", prefix: "", encoding: "base64" },
        message: ["url", "body"],
        timestamp: null,
      },
      id: [json("event_id")], // Not data.id, which is the object's.
      type: [json("type")],
      occurredAt: { from: json("created_at"), unit: "iso" },
      hint: "the notification URL is part of what Square signs: PUBLIC_BASE_URL and this source's path must be character for character the URL of the subscription; {secret} is the subscription's signature key, not an access token",
      facts: { proof: "vector", checked: "2026-11-29", sameIdOnRetry: true, ackSeconds: 10, unverified: ["The ten seconds for the answer."] },
    },
    options,
  );
}

/** https://developer.squareup.com/reference/square/payments-api/webhooks/payment.updated */
export const squareSample: MakeSample = (type = "payment.updated", { id, user, amount, reference }) => {
  const now = new Date().toISOString();
  const [object = "payment"] = type.split(".");
  const payment = {
    id: "hYy9pRFVxpDsO1FB05SunFWUe9JZY",
    amount_money: { amount, currency: "EUR" },
    total_money: { amount, currency: "EUR" },
    created_at: now,
    updated_at: now,
    customer_id: user,
    reference_id: reference ?? id,
    location_id: "S8GWD5R9QB376",
    status: "COMPLETED",
  };
  return {
    type,
    body: {
      merchant_id: "6SSW7HV8K2ST5",
      location_id: "S8GWD5R9QB376",
      type,
      event_id: id,
      created_at: now,
      data: { type: object, id: payment.id, object: { [object]: payment } },
    },
    headers: { "content-type": "application/json", "square-environment": "Sandbox", "square-initial-delivery-timestamp": now },
  };
};
