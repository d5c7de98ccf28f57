/** Airwallex: https://www.airwallex.com/docs/developer-tools/webhooks/listen-for-webhook-events */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function airwallex<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "airwallex",
      title: "Airwallex",
      docs: "https://www.airwallex.com/docs/developer-tools/webhooks/listen-for-webhook-events",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["timestamp", "body"],
        timestamp: { at: header("x-timestamp"), unit: "ms" },
      },
      // It retries for three days, perhaps with the first signature.
      maxAgeSeconds: 3 * 86_400 + 3_600,
      id: [json("id")],
      type: [json("name")],
      occurredAt: { from: json("created_at"), unit: "iso" },
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the secret of this webhook under Developer, Webhooks, not an API key; demo and production have different ones",
      facts: {
        proof: "documentation",
        checked: "2026-11-29",
        sameIdOnRetry: true,
        ackSeconds: null,
        unverified: [
          "The order of the message (the time, then the body, nothing between) is from guides of third parties.",
          "Whether a retry is signed anew: the window is as long as the retries.",
        ],
      },
    },
    options,
  );
}

/** https://www.airwallex.com/docs/developer-tools__listen-for-webhook-events__payload-examples */
export const airwallexSample: MakeSample = (type = "payment_intent.succeeded", { id, user, amount, reference }) => {
  const now = `${new Date().toISOString().slice(0, 19)}+0000`;
  return {
    type,
    body: {
      id,
      name: type,
      account_id: "acct_sample",
      version: "2026-02-27",
      data: {
        object: {
          id: "int_hkdmr7v9rg1j58ky8re",
          amount: amount / 100,
          currency: "EUR",
          merchant_order_id: reference ?? id,
          customer_id: user,
          status: "SUCCEEDED",
          created_at: now,
        },
      },
      created_at: now,
    },
    headers: { "content-type": "application/json" },
  };
};
