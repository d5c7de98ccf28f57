/** WhatsApp: https://developers.facebook.com/docs/whatsapp/cloud-api/guides/set-up-webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compoundWith, digest, header, json, query } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

const value = (path: string) => json(`changes.0.value.${path}`);
const STATUS = [value("statuses.0.id"), value("statuses.0.status")] as const;
/** What else an entry holds where it holds more than one: two batches that begin alike are two events. */
const REST = [
  value("messages.1.id"),
  value("messages.2.id"),
  value("statuses.0.recipient_id"),
  value("statuses.0.recipient_participant_id"),
  value("statuses.1.id"),
  value("statuses.1.status"),
  json("changes.1.field"),
] as const;

/** The Cloud API. Each entry is an event, `{ id, changes }`: a message, one status of a message, or whatever else the app is subscribed to. */
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
      // Not each change: one without messages or statuses (a template, the account) would lose the entry's `id` and `time`, which tell it from the next.
      // A message is sent, delivered and read under one id; the two kinds of names have another number of parts, so that neither can be the other.
      split: {
        items: ["entry"],
        id: [compoundWith([value("messages.0.id")], REST), compoundWith(STATUS, REST), digest()],
        type: [json("changes.0.field")],
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
          "That an entry holds one change, of one message or one status: of many, the first few give the id, and the first gives the type.",
          "For how long Meta retries (7 days in public guides), and that a redelivery groups the changes alike: where it does not, they run again.",
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
