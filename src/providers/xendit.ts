/** Xendit: https://docs.xendit.co/apidocs/webhook-behavior */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** A token says who sends, and nothing about the body. */
export function xendit<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "xendit",
      title: "Xendit",
      docs: "https://docs.xendit.co/apidocs/webhook-behavior",
      scheme: { kind: "token", at: header("x-callback-token"), prefix: "" },
      id: [header("webhook-id"), digest()],
      type: [json("event"), json("status")], // Invoices and other older products have no event, only what the object now is.
      occurredAt: { from: json("created"), unit: "iso" },
      hint: "{secret} is the webhook verification token under Settings, Webhooks; test and live have different ones",
      facts: {
        proof: "documentation",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: 30, // What took longer is not retried by itself.
        unverified: ["The header webhook-id, and that a retry carries the same one; where it is absent the body's digest is the id."],
      },
    },
    options,
  );
}

/** https://docs.xendit.co/apidocs */
export const xenditSample: MakeSample = (type = "payment.capture", { id, user, amount, reference }) => {
  const now = new Date().toISOString();
  return {
    type,
    body: {
      event: type,
      business_id: "5f27a14a9bf05c73dd040bc8",
      created: now,
      data: {
        payment_id: `py-${id}`,
        reference_id: reference ?? id,
        customer_id: user,
        request_amount: amount,
        currency: "IDR",
        status: "SUCCEEDED",
        created: now,
      },
    },
    headers: { "content-type": "application/json", "webhook-id": id },
  };
};
