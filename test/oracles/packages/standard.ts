import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, seconds, withHeaders, type Oracle } from "../oracle.ts";
import { sharedBase64 } from "../secrets.ts";

export default {
  provider: "standard",
  package: "standardwebhooks",
  secrets: sharedBase64(),
  sign: async (delivery, secret) =>
    withHeaders(delivery, {
      "webhook-id": delivery.id,
      "webhook-timestamp": seconds(delivery.timestampMs),
      "webhook-signature": new Webhook(secret).sign(delivery.id, new Date(delivery.timestampMs), delivery.body),
    }),
  verify: (request, secret) =>
    accepts(
      () => new Webhook(secret).verify(request.body, request.headers),
      (error) => error instanceof WebhookVerificationError,
    ),
  tamper: flipBody,
  bodies: jsonBodies(),
  quirks: [
    "Reads the clock: 300 s both ways.",
    "Signs the parsed number: `1700000000abc` and `01700000000` verify as 1700000000.",
    "Compares the base64 text, so only its canonical form passes; decodes the secret leniently.",
    "Knows v1 alone, not v1a (Ed25519).",
  ],
} satisfies Oracle;
