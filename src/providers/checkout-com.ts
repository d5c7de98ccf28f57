/** Checkout.com: https://www.checkout.com/docs/developer-resources/webhooks/manage-webhooks/set-up-your-webhook-receiver */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function checkoutCom<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "checkout-com",
      title: "Checkout.com",
      docs: "https://www.checkout.com/docs/developer-resources/webhooks/manage-webhooks/set-up-your-webhook-receiver",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("cko-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [json("id")],
      type: [json("type")],
      occurredAt: { from: json("created_on"), unit: "iso" },
      hint: "{secret} is the signature key of the webhook action in your workflow, which is yours to choose, not an API key",
      facts: {
        proof: "documentation",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["That a retry carries the same event id (evt_...) is not documented."],
      },
    },
    options,
  );
}

/** https://www.checkout.com/docs/developer-resources/webhooks/webhook-event-types */
export const checkoutComSample: MakeSample = (type = "payment_captured", { id, user, amount, reference }) => {
  const now = new Date().toISOString();
  return {
    type,
    body: {
      id,
      type,
      version: "1.0.0",
      created_on: now,
      data: {
        id: "pay_mbabizu24mvu3mela5njyhpit4",
        action_id: "act_mbabizu24mvu3mela5njyhpit4",
        amount,
        currency: "EUR",
        reference: reference ?? id,
        metadata: { user_id: user },
        processed_on: now,
        response_code: "10000",
      },
    },
    headers: { "content-type": "application/json; charset=utf-8" },
  };
};
