/** Customer.io: https://docs.customer.io/integrations/api/webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Reporting webhooks. A campaign's own webhook action is signed with a key that Customer.io shows nobody, and cannot be received. */
export function customerIo<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "customer-io",
      title: "Customer.io",
      docs: "https://docs.customer.io/integrations/api/webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-cio-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: [{ literal: "v0:" }, "timestamp", { literal: ":" }, "body"],
        timestamp: { at: header("x-cio-timestamp"), unit: "s" },
      },
      // It retries for seven days, perhaps with the first signature, and holds everything else back until then.
      maxAgeSeconds: 7 * 86_400 + 3_600,
      id: [json("event_id")],
      type: [joined(json("object_type"), json("metric"))],
      occurredAt: { from: json("timestamp"), unit: "s" },
      hint: "{secret} is the signing key on the reporting webhook's own page, not a tracking or an app API key",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: 4,
        unverified: [
          "The message (v0, the time and the body, with colons) and the hex form are from public receivers, which agree; the page names the header, the key and the hash.",
          "Whether a retry is signed anew: the window is as long as the retries. That it repeats event_id.",
        ],
      },
    },
    options,
  );
}

/** An email that was delivered. */
export const customerIoSample: MakeSample = (type = "email.delivered", { id, user, amount, reference }) => {
  const [objectType, metric] = type.split(".");
  return {
    type,
    body: {
      event_id: id,
      object_type: objectType,
      metric,
      timestamp: 1_767_225_600,
      data: {
        customer_id: user,
        identifiers: { id: user, email: `${user}@example.com` },
        delivery_id: reference ?? id,
        recipient: `${user}@example.com`,
        subject: "Your receipt",
        campaign_id: amount,
      },
    },
    headers: { "content-type": "application/json" },
  };
};
