/** SendGrid: https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The Event Webhook. A delivery is a batch; each of its events is one here. */
export function sendgrid<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "sendgrid",
      title: "SendGrid",
      docs: "https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features",
      scheme: {
        kind: "ecdsa",
        hash: "SHA-256",
        form: "der",
        signature: { at: [{ header: "x-twilio-email-event-webhook-signature" }], form: "plain", prefix: "", encoding: "base64" },
        // The body ends with CRLF, which is signed too.
        message: ["timestamp", "body"],
        timestamp: { at: { header: "x-twilio-email-event-webhook-timestamp" }, unit: "s" },
      },
      // It retries for 24 hours, perhaps with the first signature.
      maxAgeSeconds: 90_000,
      id: [digest()],
      type: [],
      split: { items: [], id: [json("sg_event_id")], type: [json("event")], occurredAt: { from: json("timestamp"), unit: "s" } },
      hint: "{secret} is the Verification Key of the Event Webhook's security features (a public key), not the API key; signing has to be switched on there",
      facts: {
        proof: "vector",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: null,
        unverified: [
          "Whether a retry is signed anew: the window is as long as the retries, 24 hours.",
          "Whether a retried batch is the same bytes: its events keep their ids either way.",
        ],
      },
    },
    options,
  );
}

/** https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event */
export const sendgridSample: MakeSample = (type = "delivered", { id, user, amount, reference }) => ({
  type,
  body: [
    {
      email: `${user}@example.com`,
      event: type,
      sg_event_id: id,
      sg_message_id: "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
      "smtp-id": "<14c5d75ce93.dfd.64b469@ismtpd-555>",
      timestamp: Math.floor(Date.now() / 1_000),
      category: ["receipts"],
      amount,
      order_id: reference ?? id,
      response: "250 OK",
    },
  ],
  headers: { "content-type": "application/json", "user-agent": "SendGrid Event API" },
});
