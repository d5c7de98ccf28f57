/** Mailgun: https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compound, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The signature covers a time and a token, and nothing of the event: it proves who sends, not what. */
export function mailgun<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "mailgun",
      title: "Mailgun",
      docs: "https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        // The second one is there for events of a subaccount, and is the primary account's.
        signature: { at: [json("signature.signature"), json("signature.parent-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["timestamp", json("signature.token")],
        timestamp: { at: json("signature.timestamp"), unit: "s" },
      },
      // Mailgun advises against a narrow window ("delays outside of Mailgun's control") and retries for 8 hours.
      maxAgeSeconds: 32_400,
      // The id is unique within a day, Mailgun says.
      id: [compound(json("event-data.timestamp"), json("event-data.id"))],
      type: [json("event-data.event")],
      occurredAt: { from: json("event-data.timestamp"), unit: "s" },
      // "For any other code, Mailgun will retry": 200 alone, or 406 to give up.
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the HTTP webhook signing key of the account, not an API key",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["Whether a retry repeats the event's id and time, and the first signature."],
      },
    },
    options,
  );
}

/** https://documentation.mailgun.com/docs/mailgun/user-manual/events/event-structure */
export const mailgunSample: MakeSample = (type = "delivered", { id, user, amount, reference }) => ({
  type,
  body: {
    signature: { token: "e0b5477167110d68991efc6b9f89f0a11066af27834600e123" },
    "event-data": {
      id,
      event: type,
      timestamp: 1_767_225_600.25, // Part of what names the event: two sendings of one sample are one.
      recipient: `${user}@example.com`,
      "log-level": "info",
      message: { headers: { "message-id": `${reference ?? id}@mail.example.com`, to: `${user}@example.com`, subject: "Your receipt" } },
      "user-variables": { user_id: user, order_id: reference ?? id, amount },
      "delivery-status": { code: 250, message: "OK" },
    },
  },
  headers: { "content-type": "application/json", "user-agent": "mailgun/treq-22.2.0" },
});
