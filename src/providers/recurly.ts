/** Recurly: https://docs.recurly.com/recurly-subscriptions/docs/signature-verification */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compound, header, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** JSON webhooks: Recurly signs no XML. */
export function recurly<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "recurly",
      title: "Recurly",
      docs: "https://docs.recurly.com/recurly-subscriptions/docs/signature-verification",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8", // 64 hex digits that are not decoded.
        signature: { at: [header("recurly-signature")], form: "positional", encoding: "hex" },
        message: ["timestamp", { literal: "." }, "body"],
        timestamp: { at: "signature", unit: "ms" },
      },
      // `id` is the object's, and the same in every event about it.
      id: [compound(json("site_id"), json("object_type"), json("id"), json("event_type"), json("event_time"))],
      type: [joined(json("object_type"), json("event_type"))],
      occurredAt: { from: json("event_time"), unit: "iso" },
      hint: "{secret} is the secret key of this endpoint on the Webhook Endpoints page; only JSON webhooks are signed, XML ones are not",
      facts: {
        proof: "vector",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "That `id` names the object and not the event.",
          "That a retry is signed with a new time: Recurly's own library allows five minutes, which supposes it.",
        ],
      },
    },
    options,
  );
}

/** https://docs.recurly.com/recurly-subscriptions/docs/webhooks */
export const recurlySample: MakeSample = (type = "charge_invoice.paid", { id, user, amount, reference }) => {
  const [object_type = "charge_invoice", event_type = "paid"] = type.split(".");
  return {
    type,
    body: {
      id,
      object_type,
      site_id: "qc326l1hl8k9",
      event_type,
      event_time: "2026-01-01T00:00:00Z", // Part of what names the event: two sendings of one sample are one.
      account_code: user,
      invoice_number: reference ?? id,
      total_in_cents: amount,
    },
    headers: { "content-type": "application/json" },
  };
};
