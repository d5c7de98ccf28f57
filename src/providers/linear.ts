/** Linear: https://linear.app/developers/webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The type is the object and what was done to it: `Issue.create`. The id is the delivery's, in a header that the signature does not cover. */
export function linear<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "linear",
      title: "Linear",
      docs: "https://linear.app/developers/webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("linear-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        // Not the header Linear-Timestamp, which is not signed.
        timestamp: { at: json("webhookTimestamp"), unit: "ms" },
      },
      id: [header("linear-delivery")],
      type: [joined(json("type"), json("action"))],
      occurredAt: { from: json("createdAt"), unit: "iso" },
      // Anything but 200 is retried.
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the signing secret (lin_wh_...) on the webhook's own page; an OAuth application has one for all of its webhooks",
      facts: {
        proof: "package",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: 5,
        unverified: [
          "A retry carries the same Linear-Delivery, and a new webhookTimestamp (Linear advises a window of a minute; this takes 300 s, for clocks that differ).",
          "Linear waits 5 s.",
        ],
      },
    },
    options,
  );
}

/** Its webhookTimestamp comes with the signature. */
export const linearSample: MakeSample = (type = "Issue.create", { id, user, amount, reference }) => {
  const [model = "Issue", action] = type.split(".");
  return {
    type,
    body: {
      action,
      type: model,
      actor: { id: user, type: "user", name: "John" },
      createdAt: "2026-01-01T00:00:00.000Z",
      data: { id: `${id}-issue`, number: amount, title: reference ?? `sample ${id}`, identifier: `ENG-${amount}` },
      url: `https://linear.app/issue/ENG-${amount}`,
      organizationId: "org_example",
      webhookId: "wh_example",
    },
    headers: {
      "content-type": "application/json; charset=utf-8",
      "user-agent": "Linear-Webhook",
      "linear-delivery": id,
      "linear-event": model,
    },
  };
};
