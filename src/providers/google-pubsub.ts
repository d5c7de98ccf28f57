/** Google Cloud Pub/Sub: https://docs.cloud.google.com/pubsub/docs/authenticate-push-subscriptions */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compoundWith, header, json, literal } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Push subscriptions with authentication. Their token names the service account and this URL; it says nothing about the body. */
export function googlePubsub<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "google-pubsub",
      title: "Google Cloud Pub/Sub",
      docs: "https://docs.cloud.google.com/pubsub/docs/authenticate-push-subscriptions",
      scheme: {
        kind: "jwt",
        at: header("authorization"),
        prefix: "Bearer ",
        algorithms: ["RS256"],
        key: { keySet: "https://www.googleapis.com/oauth2/v3/certs" },
        issuer: ["https://accounts.google.com", "accounts.google.com"],
        audience: "url",
        // Google signs a token for every service account of every customer: without these two, any of them is let in.
        claims: { email: "secret", email_verified: { is: "true" } },
        body: null,
        url: null,
        time: null, // One token serves for up to an hour, until its `exp`.
      },
      // Unique within a topic: the subscription, which has one topic, goes with it.
      id: [compoundWith([json("message.messageId")], [json("subscription")])],
      type: [json("message.attributes.eventType"), json("message.attributes.type"), literal("message")],
      occurredAt: { from: json("message.publishTime"), unit: "iso" },
      hint: "{secret} is the email of the push subscription's service account; authentication must be on, its audience empty or exactly this URL, and payload unwrapping off",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "The address of the key set: from Google's own library, not from the linked page.",
          "That a redelivery repeats messageId.",
          "That a token is used for up to an hour.",
          "How long Pub/Sub waits: as long as the subscription's acknowledgement deadline says.",
        ],
      },
    },
    options,
  );
}

/** https://docs.cloud.google.com/pubsub/docs/push#receive_push */
export const googlePubsubSample: MakeSample = (type = "message", { id, user, amount, reference }) => ({
  type,
  body: {
    message: {
      attributes: type === "message" ? { userId: user } : { userId: user, eventType: type },
      data: btoa(JSON.stringify({ amount, reference: reference ?? id })),
      messageId: id,
      message_id: id,
      publishTime: "2026-01-01T00:00:00.123Z",
      publish_time: "2026-01-01T00:00:00.123Z",
    },
    subscription: "projects/myproject/subscriptions/mysubscription",
  },
  headers: { "content-type": "application/json", "user-agent": "APIs-Google; (+https://developers.google.com/webmasters/APIs-Google.html)" },
});
