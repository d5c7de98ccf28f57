/** WhatsApp: https://developers.facebook.com/docs/whatsapp/cloud-api/guides/set-up-webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compound, digest, header, json, query } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The Cloud API. Each change is an event: a message, one status of a message, or whatever else the app is subscribed to. */
export function whatsapp<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "whatsapp",
      title: "WhatsApp",
      docs: "https://developers.facebook.com/docs/whatsapp/cloud-api/guides/set-up-webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-hub-signature-256")], form: "plain", prefix: "sha256=", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [digest()],
      type: [],
      // A message is sent, delivered and read under one id. Other changes (templates, the account) have none: the item's digest is theirs.
      split: {
        items: ["entry", "*", "changes"],
        id: [json("value.messages.0.id"), compound(json("value.statuses.0.id"), json("value.statuses.0.status"))],
        type: [json("field")],
        occurredAt: null,
      },
      handshakes: [
        { kind: "get_echo", challenge: query("hub.challenge"), where: { "hub.mode": "subscribe" }, tokenParam: "hub.verify_token", as: "text" },
      ],
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the App Secret under App Settings, Basic; the verify token of the webhook's configuration is another, and signs nothing",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "That a change holds one message or one status: of several, the first gives the id.",
          "For how long Meta retries (7 days in public guides), and that a redelivery groups the changes alike.",
        ],
      },
    },
    options,
  );
}

/** https://developers.facebook.com/docs/whatsapp/cloud-api/webhooks/payload-examples */
export const whatsappSample: MakeSample = (type = "messages", { id, user, amount, reference }) => ({
  type,
  body: {
    object: "whatsapp_business_account",
    entry: [
      {
        id: "102290129340398",
        changes: [
          {
            value: {
              messaging_product: "whatsapp",
              metadata: { display_phone_number: "15550783881", phone_number_id: "106540352242922" },
              contacts: [{ profile: { name: user }, wa_id: "16505551234" }],
              messages: [{ from: "16505551234", id, timestamp: "1767225600", type: "text", text: { body: `${reference ?? id}: ${amount}` } }],
            },
            field: type,
          },
        ],
      },
    ],
  },
  headers: { "content-type": "application/json", "user-agent": "facebookexternalua" },
});
