/** Wise: https://docs.wise.com/guides/developer/webhooks/event-handling */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The secret is Wise's public key, in PEM, of the environment that sends. */
export function wise<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "wise",
      title: "Wise",
      docs: "https://docs.wise.com/guides/developer/webhooks/event-handling",
      scheme: {
        kind: "rsa",
        hash: "SHA-256",
        key: "secret",
        signature: { at: [header("x-signature-sha256")], form: "plain", prefix: "", encoding: "base64" },
        message: ["body"],
        timestamp: null,
      },
      id: [header("x-delivery-id"), digest("sent_at")],
      type: [json("event_type")],
      occurredAt: { from: json("data.occurred_at"), unit: "iso" },
      // Sent when a subscription is made, and signed: it is no event.
      handshakes: [
        {
          kind: "post_constant",
          when: [{ at: header("x-test-notification"), is: "true" }],
          answer: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
          signed: true,
        },
      ],
      // One page says any 2xx, another only 200.
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      honoursRetryAfter: true,
      hint: "{secret} is Wise's public key in PEM, from its documentation: sandbox and production have different ones; Wise takes no URL with a query",
      facts: {
        proof: "vector",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: 5,
        unverified: [
          "That X-Delivery-Id stays the same when a notification is sent again.",
          "The value `true` of X-Test-Notification, and that such a request is signed.",
        ],
      },
    },
    options,
  );
}

/** https://docs.wise.com/guides/developer/webhooks/event-types */
export const wiseSample: MakeSample = (type = "transfers#state-change", { id, user, amount, reference }) => {
  const now = new Date().toISOString();
  return {
    type,
    body: {
      data: {
        resource: { type: "transfer", id: 49_983_981, profile_id: user, account_id: 14_124_090, reference: reference ?? id, amount },
        current_state: "outgoing_payment_sent",
        previous_state: "processing",
        occurred_at: now,
      },
      subscription_id: "90aa8e14-4ef1-4a56-861c-f3c9cde097ea",
      event_type: type,
      schema_version: "2.0.0",
      sent_at: now,
    },
    headers: { "content-type": "application/json", "x-delivery-id": id },
  };
};
