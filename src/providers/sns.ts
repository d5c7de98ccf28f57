/** Amazon SNS: https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** SNS's own hosts, in China too, and of them the one of the topic's region. Whoever may name another host may sign anything. */
const AT_SNS = {
  host: "sns\\.{part}\\.amazonaws\\.com(?:\\.cn)?",
  part: {
    of: "arn:aws(?:-[a-z]+)*:sns:((?:[a-z]{2,}-)+[0-9]+):[0-9]{12}:[^:]+",
    shape: "the ARN of a topic, arn:aws:sns:<region>:<account>:<name>",
    example: "arn:aws:sns:us-east-1:000000000000:",
  },
} as const;

const part = (name: string) => [{ literal: `${name}\n` }, json(name), { literal: "\n" }] as const;
/** Signed where it is there: a subject may be absent, and only confirmations have the other two. */
const optionalPart = (name: string) => ({
  when: json(name),
  parts: [{ literal: `${name}\n` }, { optional: json(name) }, { literal: "\n" }],
});

/**
 * One topic, over HTTPS. The subscription is confirmed as soon as it is made. Raw message delivery has no signature and is refused.
 * SNS takes every 4xx for final, and keeps what was refused in the subscription's dead-letter queue, if it has one.
 */
export function sns<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "sns",
      title: "Amazon SNS",
      docs: "https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html",
      scheme: {
        kind: "rsa",
        // Not under the signature, and no way down: a signature of one version is none of the other, and any other text is no version at all.
        hash: { by: json("SignatureVersion"), of: { "1": "SHA-1", "2": "SHA-256" } },
        key: { certificate: json("SigningCertURL"), allow: { ...AT_SNS, path: "/SimpleNotificationService-[A-Za-z0-9]+\\.pem" } },
        signature: { at: [json("Signature")], form: "plain", prefix: "", encoding: "base64" },
        message: [
          ...part("Message"),
          ...part("MessageId"),
          optionalPart("Subject"),
          optionalPart("SubscribeURL"),
          { literal: "Timestamp\n" },
          "timestamp",
          { literal: "\n" },
          optionalPart("Token"),
          ...part("TopicArn"),
          ...part("Type"),
        ],
        timestamp: { at: json("Timestamp"), unit: "iso" },
        // The certificate is Amazon's: anybody's topic is signed with it.
        pinned: json("TopicArn"),
        oneOf: { at: json("Type"), texts: ["Notification", "SubscriptionConfirmation", "UnsubscribeConfirmation"] },
        singleLine: ["MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"].map((name) => json(name)),
      },
      // The time is that of publishing. Retries over HTTPS end after 3,600 seconds at the latest.
      maxAgeSeconds: 4_200,
      id: [json("MessageId")],
      type: [json("Type")],
      occurredAt: { from: json("Timestamp"), unit: "iso" },
      handshakes: [
        {
          kind: "post_confirm",
          when: [{ at: json("Type"), is: "SubscriptionConfirmation" }],
          url: json("SubscribeURL"),
          allow: { ...AT_SNS, path: "/", query: true },
        },
      ],
      hint: "{secret} is the ARN of the topic (arn:aws:sns:...), and raw message delivery must be off: it drops the signature",
      facts: {
        proof: "package",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: 15,
        unverified: [
          "That SNS waits 15 seconds for the answer.",
          "That a certificate and a confirmation's URL are always at the host of the topic's own region.",
          "That every region's certificate is at /SimpleNotificationService-....pem.",
        ],
      },
    },
    options,
  );
}

/** https://docs.aws.amazon.com/sns/latest/dg/http-notification-json.html */
export const snsSample: MakeSample = (type = "Notification", { id, user, amount, reference }) => ({
  type,
  body: {
    Type: type,
    MessageId: id,
    Subject: "order",
    Message: JSON.stringify({ user, amount, reference: reference ?? id }),
    SignatureVersion: "2",
    SigningCertURL: "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0000000000000000000000.pem",
    UnsubscribeURL: "https://sns.us-east-1.amazonaws.com/?Action=Unsubscribe",
  },
  headers: {
    "content-type": "text/plain; charset=UTF-8",
    "user-agent": "Amazon Simple Notification Service Agent",
    "x-amz-sns-message-id": id,
    "x-amz-sns-message-type": type,
  },
});
