import { Stripe } from "stripe";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, header, seconds, withHeaders, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

const { webhooks } = new Stripe("sk_test_oracle");

export default {
  provider: "stripe",
  package: "stripe",
  secrets: sharedText("whsec_"),
  sign: async (delivery, secret) =>
    withHeaders(delivery, {
      "stripe-signature": await webhooks.generateTestHeaderStringAsync({
        payload: delivery.body,
        secret,
        timestamp: Number(seconds(delivery.timestampMs)),
      }),
    }),
  verify: (request, secret) =>
    accepts(
      () => webhooks.constructEventAsync(request.body, header(request, "stripe-signature"), secret),
      (error) => error instanceof Stripe.errors.StripeSignatureVerificationError,
    ),
  tamper: flipBody,
  bodies: jsonBodies({ id: "evt_1", object: "event", type: "invoice.paid" }),
  quirks: [
    "The key is the whole whsec_ text, never decoded.",
    "Reads the clock: refuses what is older than 300 s, accepts any future time.",
    "Refuses a space after the comma of `t=, v1=`, and hex in upper case.",
    "Of several t= the last counts.",
  ],
} satisfies Oracle;
