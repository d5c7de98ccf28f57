/** Stripe: https://docs.stripe.com/webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** What every Stripe event has. `stripe<Stripe.Event>()` types them all. */
export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly livemode: boolean;
  readonly data: { readonly object: Readonly<Record<string, unknown>> };
}

export interface StripeOptions extends SourceOptions {
  /** Run only events of this mode: a Connect endpoint in live mode also gets test events. */
  readonly mode?: "live" | "test";
}

/** Snapshot events and thin events alike: `evt_...` is the event, never the object it is about. */
export function stripe<Data = StripeEvent>({ mode, ...options }: StripeOptions = {}): Provider<Data> {
  return preset(
    {
      name: "stripe",
      title: "Stripe",
      docs: "https://docs.stripe.com/webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8", // The whole `whsec_...` text is the key: Stripe does not decode it.
        signature: { at: [{ header: "stripe-signature" }], form: "pairs", signatureKey: "v1", timestampKey: "t", encoding: "hex" },
        message: ["timestamp", { literal: "." }, "body"],
        timestamp: { at: "signature", unit: "s" },
      },
      id: [json("id")],
      type: [json("type")],
      occurredAt: { from: json("created"), unit: "s" },
      only: mode === undefined ? [] : [{ at: json("livemode"), is: String(mode === "live") }],
      hint: "each endpoint has its own secret, and the Stripe CLI signs with yet another: set {secret}_NEXT to the one that `stripe listen` prints",
      facts: { proof: "package", checked: "2026-11-29", sameIdOnRetry: true, ackSeconds: null, unverified: [] },
    },
    options,
  );
}

/** A snapshot event, https://docs.stripe.com/api/events/object */
export const stripeSample: MakeSample = (type = "payment_intent.succeeded", { id, user, amount, reference }) => {
  const created = Math.floor(Date.now() / 1_000);
  const metadata = { user_id: user, order_id: reference ?? id };
  const object = {
    id: `pi_${id}`,
    object: "payment_intent",
    amount,
    amount_received: amount,
    currency: "eur",
    status: "succeeded",
    created,
    metadata,
  };
  return {
    type,
    body: {
      id,
      object: "event",
      api_version: "2025-08-27.basil",
      created,
      type,
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      data: { object },
    },
    headers: { "content-type": "application/json; charset=utf-8", "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)" },
  };
};
