import Lithic from "lithic";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, says, type Oracle } from "../oracle.ts";
import { sharedBase64 } from "../secrets.ts";

const { webhooks } = new Lithic({ apiKey: "oracle" });
const missing = says(/Could not find .* header/);

export default {
  provider: "lithic",
  package: "lithic",
  secrets: sharedBase64(),
  sign: null,
  verify: (request, secret) =>
    accepts(
      () => webhooks.verifySignature(request.body, { ...request.headers }, secret),
      (error) => error.name === "WebhookVerificationError" || missing(error),
    ),
  tamper: flipBody,
  bodies: jsonBodies({ event_type: "card.created" }),
  quirks: ["Reads the clock: 300 s both ways.", "Knows webhook-* names only."],
} satisfies Oracle;
