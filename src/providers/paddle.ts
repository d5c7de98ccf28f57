/** Paddle Billing: https://developer.paddle.com/webhooks/about/signature-verification */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Not Paddle Classic, which signs form fields with RSA. */
export function paddle<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "paddle",
      title: "Paddle",
      docs: "https://developer.paddle.com/webhooks/about/signature-verification",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("paddle-signature")], form: "pairs", separator: ";", signatureKey: "h1", timestampKey: "ts", encoding: "hex" },
        message: ["timestamp", { literal: ":" }, "body"],
        timestamp: { at: "signature", unit: "s" },
      },
      id: [json("event_id")], // notification_id is another for each destination.
      type: [json("event_type")],
      occurredAt: { from: json("occurred_at"), unit: "iso" },
      hint: "{secret} is the secret key of this notification destination (pdl_ntfset_...), not an API key; sandbox and live have different ones",
      facts: {
        proof: "vector",
        checked: "2026-11-29",
        sameIdOnRetry: true,
        ackSeconds: 5,
        unverified: ["That a retry is signed with a new time: Paddle's own library allows five seconds, which supposes it."],
      },
    },
    options,
  );
}

/** https://developer.paddle.com/webhooks/transactions/transaction-completed */
export const paddleSample: MakeSample = (type = "transaction.completed", { id, user, amount, reference }) => {
  const now = new Date().toISOString();
  return {
    type,
    body: {
      event_id: id,
      event_type: type,
      occurred_at: now,
      notification_id: "ntf_01h8441jpvt4nv3rv8pnz4ce8n",
      data: {
        id: "txn_01h8441jn5pcwrfhwh78jqt8hk",
        status: "completed",
        customer_id: user,
        currency_code: "EUR",
        custom_data: { user_id: user, order_id: reference ?? id },
        details: { totals: { grand_total: String(amount), currency_code: "EUR" } },
        created_at: now,
        updated_at: now,
      },
    },
    headers: { "content-type": "application/json", "user-agent": "Paddle" },
  };
};
