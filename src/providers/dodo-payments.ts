/** Dodo Payments: https://docs.dodopayments.com/developer-resources/webhooks */
import { standardWebhooks } from "../schemes/standard-webhooks.ts";
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function dodoPayments<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "dodo-payments",
      title: "Dodo Payments",
      docs: "https://docs.dodopayments.com/developer-resources/webhooks",
      scheme: standardWebhooks("webhook"),
      id: [header("webhook-id")],
      type: [json("type")],
      occurredAt: { from: json("timestamp"), unit: "iso" },
      hint: "{secret} is the endpoint's secret key (Settings, Webhooks), of the same mode: test and live have different ones",
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
export const dodoPaymentsSample: MakeSample = (type = "payment.succeeded", { id, user, amount, reference }) => ({
  type,
  body: {
    business_id: "bus_example",
    type,
    timestamp: "2026-01-01T00:00:00.000000Z",
    data: {
      payload_type: "Payment",
      payment_id: `pay_${id}`,
      customer: { customer_id: `cus_${user}`, email: "user@example.com", name: "Example" },
      total_amount: amount,
      currency: "EUR",
      status: "succeeded",
      metadata: { reference: reference ?? id },
    },
  },
  headers: { "content-type": "application/json" },
});
