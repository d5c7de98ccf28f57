/** Stripe: https://docs.stripe.com/webhooks */
import type { Provider } from "./provider.ts";
import { json } from "./readers.ts";

/** What every Stripe event has. `stripe<Stripe.Event>()` types them all. */
export interface StripeEvent {
  readonly id: string;
  readonly type: string;
  readonly created: number;
  readonly livemode: boolean;
  readonly data: { readonly object: Readonly<Record<string, unknown>> };
}

export function stripe<Data = StripeEvent>(): Provider<Data> {
  return {
    name: "stripe",
    docs: "https://docs.stripe.com/webhooks",
    scheme: {
      kind: "hmac",
      hash: "SHA-256",
      key: "utf8", // The whole `whsec_...` text is the key: Stripe does not decode it.
      signature: { form: "pairs", header: "stripe-signature", encoding: "hex", signatureKey: "v1", timestampKey: "t" },
      message: ["timestamp", { literal: "." }, "body"],
      timestamp: { at: "pair", unit: "s" },
    },
    id: [json("id")],
    type: [json("type")],
    occurredAt: { from: json("created"), unit: "s" },
    handshakes: [],
    acknowledgement: null,
    hint: "each endpoint has its own secret, and the Stripe CLI signs with yet another: set {secret}_NEXT to the one that `stripe listen` prints",
  };
}
