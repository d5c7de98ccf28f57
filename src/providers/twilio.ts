/** Twilio: https://www.twilio.com/docs/usage/webhooks/webhooks-security */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, form, header, json, query } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Forms and JSON. Twilio has no event types: the type is the status, and what a status belongs to (a message, a call) shows in the fields. */
export function twilio<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "twilio",
      title: "Twilio",
      docs: "https://www.twilio.com/docs/usage/webhooks/webhooks-security",
      scheme: {
        kind: "hmac",
        hash: "SHA-1",
        key: "utf8",
        signature: { at: [{ header: "x-twilio-signature" }], form: "plain", prefix: "", encoding: "base64" },
        message: ["url", "sorted_form"],
        // Twilio's own libraries try both, since its products do not agree on whether the default port is part of the URL.
        alternatives: [["url_with_port", "sorted_form"]],
        timestamp: null,
        bodyDigest: query("bodySHA256"),
      },
      id: [header("i-twilio-idempotency-token"), digest()],
      type: [
        form("EventType"),
        form("MessageStatus"),
        form("RecordingStatus"),
        form("CallStatus"),
        form("SmsStatus"),
        json("EventType"),
        json("type"),
      ],
      // TwiML that does nothing: any other body to an incoming message or call is an error in Twilio's log.
      acknowledgement: { status: 200, body: "<Response/>", contentType: "text/xml; charset=utf-8" },
      hint: "{secret} is the Auth Token of the account (or subaccount) that owns the number, and PUBLIC_BASE_URL must be exactly what Twilio was given: scheme, host, port, query",
      facts: {
        proof: "vector",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: 15,
        unverified: [
          "That a retry repeats I-Twilio-Idempotency-Token: seen in public receivers, not in a page of Twilio's. Without one the fields are the id, and two events that have the same fields are one.",
        ],
      },
    },
    options,
  );
}

/** A status callback of an outgoing message: https://www.twilio.com/docs/messaging/guides/track-outbound-message-status */
export const twilioSample: MakeSample = (type = "delivered", { id, user, amount, reference }) => ({
  type,
  body: null,
  form: {
    AccountSid: "AC00000000000000000000000000000000",
    From: "+15005550006",
    To: "+15005550009",
    MessageSid: `SM${reference ?? id}`,
    MessageStatus: type,
    User: user,
    Amount: String(amount),
    ApiVersion: "2010-04-01",
  },
  headers: {
    "content-type": "application/x-www-form-urlencoded; charset=UTF-8",
    "user-agent": "TwilioProxy/1.1",
    "i-twilio-idempotency-token": id,
  },
});
