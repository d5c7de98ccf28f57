/** Meta: https://developers.facebook.com/docs/graph-api/webhooks/getting-started/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, firstField, header, json, query } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/**
 * Facebook pages and users, Instagram, Messenger. A delivery is a batch of entries; each entry is an event. For WhatsApp there is `whatsapp()`.
 * `object` (page, user, instagram), which stands beside the entries, does not reach the handler: where one app has several, the fields tell them apart.
 */
export function meta<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "meta",
      title: "Meta",
      docs: "https://developers.facebook.com/docs/graph-api/webhooks/getting-started/",
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
      // Entries have no id. A message's `mid` is none either: its reactions, its edits and its removal carry it too.
      split: {
        items: ["entry"],
        id: [digest()],
        type: [json("changes.0.field"), firstField("messaging.0", "sender", "recipient", "timestamp")],
        occurredAt: null,
      },
      handshakes: [
        { kind: "get_echo", challenge: query("hub.challenge"), where: { "hub.mode": "subscribe" }, tokenParam: "hub.verify_token", as: "text" },
      ],
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the App Secret under App Settings, Basic; the verify token that you made up for the subscription is another, and signs nothing",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "That a redelivery repeats an entry byte for byte, its `time` included: where it does not, the event runs again.",
          "For how long Meta retries.",
        ],
      },
    },
    options,
  );
}

/** A comment on a page: https://developers.facebook.com/docs/graph-api/webhooks/reference/page/#feed */
export const metaSample: MakeSample = (type = "feed", { id, user, amount, reference }) => ({
  type,
  body: {
    object: "page",
    entry: [
      {
        id: "1067280970047460",
        time: 1_767_225_600,
        changes: [
          {
            field: type,
            value: {
              from: { id: user, name: user },
              item: "comment",
              verb: "add",
              comment_id: id,
              post_id: reference ?? id,
              message: `${amount}`,
              created_time: 1_767_225_600,
            },
          },
        ],
      },
    ],
  },
  headers: { "content-type": "application/json", "user-agent": "facebookexternalua" },
});
