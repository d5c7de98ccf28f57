import { Webhook, WebhookVerificationError } from "svix";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, seconds, withHeaders, type Oracle } from "../oracle.ts";
import { sharedBase64 } from "../secrets.ts";

export default {
  provider: "svix",
  package: "svix",
  secrets: sharedBase64(),
  sign: async (delivery, secret) =>
    withHeaders(delivery, {
      "svix-id": delivery.id,
      "svix-timestamp": seconds(delivery.timestampMs),
      "svix-signature": new Webhook(secret).sign(delivery.id, new Date(delivery.timestampMs), delivery.body),
    }),
  verify: (request, secret) =>
    accepts(
      () => new Webhook(secret).verify(request.body, { ...request.headers }),
      (error) => error instanceof WebhookVerificationError,
    ),
  tamper: flipBody,
  bodies: jsonBodies(),
  quirks: ["Reads the clock: 300 s both ways.", "Accepts the webhook-* names as well as svix-*."],
} satisfies Oracle;
