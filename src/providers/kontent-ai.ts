/** Kontent.ai: https://kontent.ai/learn/docs/webhooks/webhooks/javascript */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** A delivery carries several notifications. They have no id: the digest of its bytes is each one's. */
export function kontentAi<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "kontent-ai",
      title: "Kontent.ai",
      docs: "https://kontent.ai/learn/docs/webhooks/webhooks/javascript",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8", // Although it looks like base64.
        signature: { at: [header("x-kontent-ai-signature")], form: "plain", prefix: "", encoding: "base64" },
        message: ["body"],
        timestamp: null,
      },
      id: [digest()],
      type: [],
      split: {
        items: ["notifications"],
        id: [digest()],
        type: [joined(json("message.object_type"), json("message.action"))],
        occurredAt: { from: json("data.system.last_modified"), unit: "iso" },
      },
      hint: "{secret} is the webhook's secret as it is shown, not decoded; and nothing on the way may change the line ends, which are signed as CRLF",
      facts: {
        proof: "vector",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["A retry carries the same bytes.", "That no two notifications do: `last_modified` in them counts tenths of microseconds."],
      },
    },
    options,
  );
}

export const kontentAiSample: MakeSample = (type = "content_item.published", { id, user, amount, reference }) => {
  const [objectType, action] = type.split(".");
  return {
    type,
    body: {
      notifications: [
        {
          data: {
            system: {
              id: reference ?? id,
              name: `sample ${id}`,
              codename: `sample_${amount}`,
              collection: "default",
              workflow: "default",
              workflow_step: "published",
              language: "default",
              type: "article",
              last_modified: "2026-01-01T00:00:00.0000000Z",
            },
          },
          message: { environment_id: user, object_type: objectType, action, delivery_slot: "published" },
        },
      ],
    },
    headers: { "content-type": "application/json" },
  };
};
