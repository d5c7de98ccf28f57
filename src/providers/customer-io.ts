/** Customer.io: https://docs.customer.io/api/webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Reporting webhooks. The type is the object and what happened to it: `email.opened`. */
export function customerIo<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "customer-io",
      title: "Customer.io",
      docs: "https://docs.customer.io/api/webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-cio-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: [{ literal: "v0:" }, "timestamp", { literal: ":" }, "body"],
        timestamp: { at: header("x-cio-timestamp"), unit: "s" },
      },
      id: [json("event_id")],
      type: [joined(json("object_type"), json("metric"))],
      occurredAt: { from: json("timestamp"), unit: "s" },
      hint: "{secret} is the webhook signing key on the reporting webhook's page in Customer.io, not an API key",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: 4,
        unverified: [
          "The signature: public receivers agree on it; of Customer.io's own page only the part about the 4 seconds was at hand.",
          "That a retry repeats event_id, and is signed anew.",
        ],
      },
    },
    options,
  );
}

export const customerIoSample: MakeSample = (type = "email.delivered", { id, user, amount, reference }) => {
  const [object = "email", metric = "delivered"] = type.split(".");
  return {
    type,
    body: {
      event_id: id,
      object_type: object,
      metric,
      timestamp: Math.floor(Date.now() / 1_000),
      data: {
        customer_id: user,
        delivery_id: reference ?? id,
        identifiers: { id: user, email: `${user}@example.com`, cio_id: "d9c106000001" },
        recipient: `${user}@example.com`,
        subject: `Your receipt over ${amount}`,
      },
    },
    headers: { "content-type": "application/json", "user-agent": "Customer.io Web Hooks/1.0" },
  };
};
