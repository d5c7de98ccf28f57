/** RevenueCat: https://www.revenuecat.com/docs/integrations/webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface RevenuecatOptions extends SourceOptions {
  /** Run only purchases of this environment: one webhook can be sent both. */
  readonly mode?: "live" | "test";
}

export function revenuecat<Data = unknown>({ mode, ...options }: RevenuecatOptions = {}): Provider<Data> {
  return preset(
    {
      name: "revenuecat",
      title: "RevenueCat",
      docs: "https://www.revenuecat.com/docs/integrations/webhooks",
      // The whole value of the header is what was typed in, with `Bearer ` where that was typed too.
      scheme: { kind: "token", at: header("authorization"), prefix: "" },
      id: [json("event.id")],
      type: [json("event.type")],
      occurredAt: { from: json("event.event_timestamp_ms"), unit: "ms" },
      only: mode === undefined ? [] : [{ at: json("event.environment"), is: mode === "live" ? "PRODUCTION" : "SANDBOX" }],
      // Anything but 200 is a failure, and after five more tries the event is given up.
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} must be the whole Authorization header value of the webhook in RevenueCat, including `Bearer ` if it was typed there; without one nothing is sent",
      facts: {
        proof: "documentation",
        checked: "2026-11-29",
        sameIdOnRetry: true,
        ackSeconds: 60,
        unverified: [
          "RevenueCat's newer guides name a header X-RevenueCat-Signature; what it signs and how is not in the documentation, and it is not read.",
        ],
      },
    },
    options,
  );
}

/** https://www.revenuecat.com/docs/integrations/webhooks/sample-events */
export const revenuecatSample: MakeSample = (type = "INITIAL_PURCHASE", { id, user, amount, reference }) => {
  const now = Date.now();
  return {
    type,
    body: {
      api_version: "1.0",
      event: {
        id,
        type,
        app_id: "1234567890",
        app_user_id: user,
        original_app_user_id: user,
        event_timestamp_ms: now,
        purchased_at_ms: now,
        product_id: "com.example.monthly",
        transaction_id: reference ?? id,
        price: amount / 100,
        currency: "EUR",
        environment: "SANDBOX",
        store: "APP_STORE",
      },
    },
    headers: { "content-type": "application/json" },
  };
};
