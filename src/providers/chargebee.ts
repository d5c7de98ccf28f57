/** Chargebee: https://www.chargebee.com/docs/webhook_settings.html */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Chargebee signs nothing: HTTP Basic says who sends, and nothing about the body. */
export function chargebee<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "chargebee",
      title: "Chargebee",
      docs: "https://www.chargebee.com/docs/webhook_settings.html",
      scheme: { kind: "basic" },
      id: [json("id")],
      type: [json("event_type")],
      occurredAt: { from: json("occurred_at"), unit: "s" },
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is `user:password`, the two that were typed in under Protect webhook URL with basic authentication",
      facts: {
        proof: "documentation",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["That a retry carries the same id is not said, but the id is the event's in Chargebee's API."],
      },
    },
    options,
  );
}

/** https://apidocs.chargebee.com/docs/api/events */
export const chargebeeSample: MakeSample = (type = "payment_succeeded", { id, user, amount, reference }) => ({
  type,
  body: {
    id,
    occurred_at: Math.floor(Date.now() / 1_000),
    source: "admin_console",
    object: "event",
    api_version: "v2",
    event_type: type,
    webhook_status: "not_configured",
    content: {
      transaction: { id: `txn_${id}`, amount, currency_code: "EUR", status: "success", type: "payment" },
      customer: { id: user, email: `${user}@example.com` },
      invoice: { id: reference ?? id, status: "paid" },
    },
  },
  headers: { "content-type": "application/json;charset=UTF-8", "user-agent": "ChargeBee" },
});
