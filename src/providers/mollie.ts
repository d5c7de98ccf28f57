/** Mollie, next-gen webhooks: https://docs.mollie.com/reference/webhooks-best-practices */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Not the classic webhooks, which carry an object's id and no signature. */
export function mollie<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "mollie",
      title: "Mollie",
      docs: "https://docs.mollie.com/reference/webhooks-best-practices",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        // For a day after a rotation there are two headers, which arrive as one with a comma.
        signature: { at: [header("x-mollie-signature")], form: "plain", prefix: "sha256=", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [json("id")], // Of the event (event_...); what it is about is entityId.
      type: [json("type")],
      occurredAt: { from: json("createdAt"), unit: "iso" },
      hint: "only next-gen webhooks are signed: a payment's own webhookUrl sends `id=tr_...` without a signature; {secret} is the signing secret shown once when the webhook is created",
      facts: {
        proof: "package",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: 15,
        unverified: [
          "That a retry carries the same event id is not documented.",
          "The 15 seconds for the answer, and the second header for a day after a rotation, are from a guide of a third party.",
        ],
      },
    },
    options,
  );
}

/** https://docs.mollie.com/reference/get-webhook-event */
export const mollieSample: MakeSample = (type = "payment-link.paid", { id, user, amount, reference }) => {
  const [resource = "payment-link"] = type.split(".");
  const createdAt = `${new Date().toISOString().slice(0, 19)}+00:00`;
  const entity = {
    resource,
    id: "pl_qng5gbbv8NAZ5gpM5ZYgx",
    mode: "test",
    description: reference ?? id,
    amount: { currency: "EUR", value: (amount / 100).toFixed(2) },
    customerId: user,
    createdAt,
    paidAt: createdAt,
  };
  return {
    type,
    body: { resource: "event", id, type, entityId: entity.id, createdAt, _embedded: { entity }, _links: {} },
    headers: { "content-type": "application/json", "user-agent": "Mollie HTTP client/1.0" },
  };
};
