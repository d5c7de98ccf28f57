/** Razorpay: https://razorpay.com/docs/webhooks/best-practices */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function razorpay<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "razorpay",
      title: "Razorpay",
      docs: "https://razorpay.com/docs/webhooks/best-practices",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-razorpay-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [header("x-razorpay-event-id")], // The body has none.
      type: [json("event")],
      occurredAt: { from: json("created_at"), unit: "s" },
      hint: "{secret} is the secret that you typed into the webhook's form, not the API key's; after a change the old one still signs retries of earlier events, so keep it in {secret} and put the new one into {secret}_NEXT",
      facts: { proof: "vector", checked: "2026-11-29", sameIdOnRetry: true, ackSeconds: 5, unverified: [] },
    },
    options,
  );
}

/** https://razorpay.com/docs/webhooks/payloads/payments/ */
export const razorpaySample: MakeSample = (type = "payment.captured", { id, user, amount, reference }) => {
  const created = Math.floor(Date.now() / 1_000);
  const payment = {
    id: "pay_DESlfW9H8K9uqM",
    entity: "payment",
    amount,
    currency: "INR",
    status: "captured",
    order_id: reference ?? id,
    captured: true,
    email: `${user}@example.com`,
    notes: { user_id: user },
    created_at: created,
  };
  return {
    type,
    body: {
      entity: "event",
      account_id: "acc_BFQ7uQEaa7j2z7",
      event: type,
      contains: ["payment"],
      payload: { payment: { entity: payment } },
      created_at: created,
    },
    headers: { "content-type": "application/json", "user-agent": "Razorpay-Webhook/v1", "x-razorpay-event-id": id },
  };
};
