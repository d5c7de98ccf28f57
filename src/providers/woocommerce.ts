/** WooCommerce: https://developer.woocommerce.com/docs/apis/rest-api/v3/webhooks/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compoundWith, digest, form, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function woocommerce<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "woocommerce",
      title: "WooCommerce",
      docs: "https://developer.woocommerce.com/docs/apis/rest-api/v3/webhooks/",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-wc-webhook-signature")], form: "plain", prefix: "", encoding: "base64" },
        message: ["body"],
        timestamp: null,
      },
      // The delivery's id is a hash of the webhook and the second: what happened in that second to another object has the same one.
      id: [compoundWith([header("x-wc-webhook-delivery-id"), json("id")], [json("date_modified_gmt")]), digest()],
      type: [header("x-wc-webhook-topic")],
      // The ping when a webhook is saved: an unsigned form, and anything but 200 is shown as an error.
      handshakes: [
        {
          kind: "post_constant",
          when: [{ at: form("webhook_id"), is: null }],
          answer: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
          signed: false,
        },
      ],
      hint: "{secret} is the Secret field of this webhook under WooCommerce, Settings, Advanced, Webhooks; where it was left empty WooCommerce filled in one of its own",
      facts: {
        proof: "documentation",
        checked: "2026-11-29",
        sameIdOnRetry: null, // Nothing is sent again; after more than five failures in a row the webhook is disabled.
        ackSeconds: 60,
        unverified: ["That WooCommerce fills in a secret where the field was left empty."],
      },
    },
    options,
  );
}

/** An order, https://developer.woocommerce.com/docs/apis/rest-api/v3/orders/ */
export const woocommerceSample: MakeSample = (type = "order.created", { id, user, amount, reference }) => {
  const [resource = "order", event = "created"] = type.split(".");
  const now = "2026-01-01T00:00:00"; // Part of what names the event: two sendings of one sample are one.
  return {
    type,
    body: {
      id: 727,
      number: reference ?? id,
      status: "processing",
      currency: "EUR",
      date_created_gmt: now,
      date_modified_gmt: now,
      total: (amount / 100).toFixed(2),
      customer_id: 26,
      billing: { email: `${user}@example.com` },
      meta_data: [{ id: 1, key: "user_id", value: user }],
      line_items: [{ id: 315, name: "Sample", quantity: 1 }],
    },
    headers: {
      "content-type": "application/json",
      "user-agent": "WooCommerce/10.0.0 Hookshot (WordPress/6.9)",
      "x-wc-webhook-delivery-id": id,
      "x-wc-webhook-event": event,
      "x-wc-webhook-id": "1",
      "x-wc-webhook-resource": resource,
      "x-wc-webhook-source": "https://shop.example/",
      "x-wc-webhook-topic": type,
    },
  };
};
