/** Intercom: https://developers.intercom.com/docs/webhooks/webhook-notifications */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function intercom<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "intercom",
      title: "Intercom",
      docs: "https://developers.intercom.com/docs/webhooks/webhook-notifications",
      scheme: {
        kind: "hmac",
        hash: "SHA-1",
        key: "utf8",
        signature: { at: [header("x-hub-signature")], form: "plain", prefix: "sha1=", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [json("id")],
      type: [json("topic")],
      occurredAt: { from: json("created_at"), unit: "s" },
      // Its test has no id, and nothing happened.
      handshakes: [
        {
          kind: "post_constant",
          when: [{ at: json("topic"), is: "ping" }],
          answer: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
          signed: true,
        },
      ],
      hint: "{secret} is the Client Secret on the app's Basic Information page in the Developer Hub, not an access token",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: 5,
        unverified: [
          "That the key is the app's client secret: Intercom's first reference documents SHA-1 and `sha1=`, and calls it `hub_secret`.",
          "That a retry repeats the id, `notif_...`, and changes only `delivery_attempts`.",
          "That Intercom waits 5 seconds: second-hand.",
        ],
      },
    },
    options,
  );
}

/** https://developers.intercom.com/docs/references/webhooks/webhook-models */
export const intercomSample: MakeSample = (type = "conversation.user.created", { id, user, amount, reference }) => ({
  type,
  body: {
    type: "notification_event",
    app_id: "a86dr8yl",
    id,
    topic: type,
    data: {
      type: "notification_event_data",
      item: {
        type: "conversation",
        id: reference ?? id,
        contacts: { type: "contact.list", contacts: [{ type: "contact", id: user }] },
        custom_attributes: { amount },
      },
    },
    links: {},
    delivery_status: "pending",
    delivery_attempts: 1,
    delivered_at: 0,
    first_sent_at: Math.floor(Date.now() / 1_000),
    created_at: Math.floor(Date.now() / 1_000),
    self: null,
  },
  headers: { "content-type": "application/json", "user-agent": "intercom-webhook-service-client/1.0" },
});
