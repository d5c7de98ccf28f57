/** Coinbase Commerce: https://docs.cdp.coinbase.com/commerce/api-arcitecture/webhooks-overview */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function coinbaseCommerce<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "coinbase-commerce",
      title: "Coinbase Commerce",
      docs: "https://docs.cdp.coinbase.com/commerce/api-arcitecture/webhooks-overview",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-cc-webhook-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [json("event.id")], // The outer id is the delivery's, and attempt_number counts.
      type: [json("event.type")],
      occurredAt: { from: json("event.created_at"), unit: "iso" },
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the shared secret under Settings, Notifications, not an API key",
      facts: {
        proof: "vector",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["That a retry carries the same event.id is not documented."],
      },
    },
    options,
  );
}

/** The body of Coinbase's own library's tests. */
export const coinbaseCommerceSample: MakeSample = (type = "charge:confirmed", { id, user, amount, reference }) => {
  const now = new Date().toISOString();
  return {
    type,
    body: {
      attempt_number: 1,
      event: {
        api_version: "2018-03-22",
        created_at: now,
        data: {
          code: "66BEOV2A",
          name: reference ?? id,
          metadata: { user_id: user, order_id: reference ?? id },
          pricing: { local: { amount: (amount / 100).toFixed(2), currency: "EUR" } },
          pricing_type: "fixed_price",
          created_at: now,
        },
        id,
        resource: "event",
        type,
      },
      id: "1",
      scheduled_for: now,
    },
    headers: { "content-type": "application/json" },
  };
};
