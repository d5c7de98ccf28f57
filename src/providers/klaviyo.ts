/** Klaviyo, system webhooks: https://developers.klaviyo.com/en/docs/working_with_system_webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

const TIME = String.raw`\d{10,13}|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT`;

/** Not the webhook action of a flow, which is not signed. */
export function klaviyo<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "klaviyo",
      title: "Klaviyo",
      docs: "https://developers.klaviyo.com/en/docs/working_with_system_webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("klaviyo-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body", header("klaviyo-timestamp")],
        timestamp: null, // Signed, but in which form the time is written is not documented: no window is taken from it.
        // Nothing stands between the body, a JSON object, and the time: a time cannot end one.
        forms: [{ at: header("klaviyo-timestamp"), pattern: TIME, expected: "a time (Unix, ISO 8601 or an HTTP date)" }],
      },
      id: [digest()], // Klaviyo-Webhook-Id names the webhook, not the delivery.
      type: [],
      split: { items: ["data"], id: [json("external_id")], type: [json("topic")], occurredAt: null },
      hint: "{secret} is the secret key that you gave when you created the webhook through the Webhooks API, at least 16 characters, not a private API key",
      facts: {
        proof: "documentation",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "The message (the body and then the time), and the forms that the time is written in, are from third parties' code.",
          "That a retry carries the same external_id.",
        ],
      },
    },
    options,
  );
}

/** One event of a delivery's `data`. */
export const klaviyoSample: MakeSample = (type = "event:klaviyo.email_delivered", { id, user, amount, reference }) => {
  const now = new Date().toISOString();
  const attributes = { event_properties: { user_id: user, order_id: reference ?? id, $value: amount }, datetime: now };
  return {
    type,
    body: {
      data: [{ topic: type, external_id: id, payload: { data: { type: "event", id, attributes } } }],
      meta: { klaviyo_account_id: "ABC123", version: "1", timestamp: now },
    },
    headers: {
      "content-type": "application/json",
      "klaviyo-timestamp": String(Math.floor(Date.now() / 1_000)),
      "klaviyo-webhook-id": "01HQ2Z4B5T6Y7U8I9O0P",
    },
  };
};
