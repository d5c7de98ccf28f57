/** Dwolla: https://developers.dwolla.com/docs/connect/webhooks/process-validate */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function dwolla<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "dwolla",
      title: "Dwolla",
      docs: "https://developers.dwolla.com/docs/connect/webhooks/process-validate",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-request-signature-sha-256")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [json("id")], // The event's; resourceId is what it is about.
      type: [json("topic")],
      occurredAt: { from: json("timestamp"), unit: "iso" },
      hint: "{secret} is the secret that you sent along when you created the webhook subscription, not the application's secret",
      facts: {
        proof: "documentation",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: 10,
        unverified: ["That a retry carries the same id is not said, but the id is the event's in Dwolla's API."],
      },
    },
    options,
  );
}

/** https://developers.dwolla.com/docs/balance/webhooks */
export const dwollaSample: MakeSample = (type = "customer_transfer_completed", { id, user, amount, reference }) => {
  const now = new Date().toISOString();
  const base = "https://api-sandbox.dwolla.com";
  const resource = "cdb5f11f-62df-e611-80ee-0aa34a9b2388";
  return {
    type,
    body: {
      id,
      resourceId: resource,
      topic: type,
      timestamp: now,
      _links: {
        self: { href: `${base}/events/${id}` },
        resource: { href: `${base}/transfers/${resource}` },
        customer: { href: `${base}/customers/${user}` },
      },
      created: now,
      correlationId: reference ?? id,
      amount,
    },
    headers: { "content-type": "application/json", "x-dwolla-topic": type },
  };
};
