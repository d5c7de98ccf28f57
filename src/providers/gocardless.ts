/** GoCardless: https://developer.gocardless.com/getting-started/api/staying-up-to-date-with-webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** A delivery carries up to 250 events, and all of them are sent again when it fails. */
export function gocardless<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "gocardless",
      title: "GoCardless",
      docs: "https://developer.gocardless.com/getting-started/api/staying-up-to-date-with-webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        // Not Standard Webhooks, although the header has the same name.
        signature: { at: [header("webhook-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [json("meta.webhook_id"), digest()],
      type: [],
      split: {
        items: ["events"],
        id: [json("id")],
        type: [joined(json("resource_type"), json("action"))],
        occurredAt: { from: json("created_at"), unit: "iso" },
      },
      hint: "{secret} is the secret of this webhook endpoint, not an access token; sandbox and live endpoints have different ones",
      facts: {
        proof: "vector",
        checked: "2026-11-29",
        sameIdOnRetry: true,
        ackSeconds: null,
        unverified: ["GoCardless asks for a 498 where the signature is wrong; it gets the 401 that everybody gets."],
      },
    },
    options,
  );
}

/** https://developer.gocardless.com/api-reference/#events */
export const gocardlessSample: MakeSample = (type = "payments.confirmed", { id, user, amount, reference }) => {
  const [resource = "payments", action = "confirmed"] = type.split(".");
  const event = {
    id,
    created_at: new Date().toISOString(),
    resource_type: resource,
    action,
    links: { payment: "PM123", customer: user },
    details: { origin: "gocardless", cause: "payment_confirmed", description: "Enough time has passed since the payment was submitted." },
    resource_metadata: { user_id: user, order_id: reference ?? id, amount: String(amount) },
    metadata: {},
  };
  return {
    type,
    body: { events: [event], meta: { webhook_id: `WB${id}` } },
    headers: { "content-type": "application/json", origin: "https://api-sandbox.gocardless.com", "user-agent": "gocardless-webhook-service/1.1" },
  };
};
