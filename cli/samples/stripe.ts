/** Stripe: a snapshot event, https://docs.stripe.com/api/events/object */
import type { MakeSample } from "./sample.ts";

export const stripeSample: MakeSample = (type = "payment_intent.succeeded", { id, user, amount, reference }) => {
  const created = Math.floor(Date.now() / 1_000);
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
      data: {
        object: {
          id: `pi_${id}`,
          object: "payment_intent",
          amount,
          amount_received: amount,
          currency: "eur",
          status: "succeeded",
          created,
          livemode: false,
          metadata: { user_id: user, order_id: reference ?? id },
        },
      },
    },
    headers: { "content-type": "application/json; charset=utf-8", "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)" },
  };
};
