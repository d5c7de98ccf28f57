/** Shopify: https://shopify.dev/docs/apps/build/webhooks/verify-deliveries */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface ShopifyOptions extends SourceOptions {
  /**
   * `delivery`: `X-Shopify-Webhook-Id`, one for each subscription and the same over its retries. `event`: `X-Shopify-Event-Id`, which several
   * subscriptions to one topic share: the second of them is then taken for a duplicate.
   */
  readonly dedupeOn?: "delivery" | "event";
}

export function shopify<Data = unknown>({ dedupeOn = "delivery", ...options }: ShopifyOptions = {}): Provider<Data> {
  return preset(
    {
      name: "shopify",
      title: "Shopify",
      docs: "https://shopify.dev/docs/apps/build/webhooks/verify-deliveries",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-shopify-hmac-sha256")], form: "plain", prefix: "", encoding: "base64" },
        message: ["body"],
        timestamp: null, // X-Shopify-Triggered-At is not under the signature.
      },
      id: [header(dedupeOn === "delivery" ? "x-shopify-webhook-id" : "x-shopify-event-id")],
      type: [header("x-shopify-topic")],
      occurredAt: { from: header("x-shopify-triggered-at"), unit: "iso" },
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the app's client secret, or for webhooks made in the admin the key shown under Notifications; up to an hour after a rotation the old secret still signs, so keep it in {secret} and put the new one into {secret}_NEXT",
      facts: { proof: "vector", checked: "2026-11-29", sameIdOnRetry: true, ackSeconds: 5, unverified: [] },
    },
    options,
  );
}

/** An order, https://shopify.dev/docs/api/webhooks */
export const shopifySample: MakeSample = (type = "orders/create", { id, user, amount, reference }) => {
  const now = new Date().toISOString();
  const total = (amount / 100).toFixed(2);
  return {
    type,
    body: {
      id: 820_982_911_946_154_500,
      admin_graphql_api_id: "gid://shopify/Order/820982911946154508",
      created_at: now,
      currency: "EUR",
      email: `${user}@example.com`,
      financial_status: "paid",
      name: `#${reference ?? id}`,
      note_attributes: [{ name: "user_id", value: user }],
      total_price: total,
      line_items: [{ id: 866_550_311_766_439_000, title: "Sample", quantity: 1, price: total }],
    },
    headers: {
      "content-type": "application/json",
      "x-shopify-api-version": "2026-07",
      "x-shopify-event-id": id,
      "x-shopify-shop-domain": "sample.myshopify.com",
      "x-shopify-topic": type,
      "x-shopify-triggered-at": now,
      "x-shopify-webhook-id": id,
    },
  };
};
