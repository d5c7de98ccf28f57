/** BigCommerce: https://developer.bigcommerce.com/docs/integrations/webhooks/https-webhook-overview */
import { standardWebhooks } from "../schemes/standard-webhooks.ts";
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Standard Webhooks under the app's client secret as text. The payload is thin: the order is fetched with the API. */
export function bigcommerce<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "bigcommerce",
      title: "BigCommerce",
      docs: "https://developer.bigcommerce.com/docs/integrations/webhooks/https-webhook-overview",
      // Its samples encode the secret to base64 because the library decodes it: the key is the text.
      scheme: standardWebhooks("webhook", "utf8"),
      id: [header("webhook-id")],
      type: [json("scope")],
      occurredAt: { from: json("created_at"), unit: "s" },
      // Ours would be a 202; the page demands a 200, and blocks the whole domain after too many others.
      acknowledgement: { status: 200, body: "", contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the client secret of the API account that created the webhook, as it is: not encoded to base64, and not the access token",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: null,
        unverified: ["A retry carries the same webhook-id, as Standard Webhooks demands it: BigCommerce says it only of hash in the body."],
      },
    },
    options,
  );
}

export const bigcommerceSample: MakeSample = (type = "store/order/created", { id, amount }) => ({
  type,
  body: {
    producer: "stores/abcde",
    hash: `hash-${id}`,
    created_at: 1_767_225_600,
    store_id: "1001197568",
    scope: type,
    data: { type: "order", id: amount },
  },
  headers: { "content-type": "application/json" },
});
