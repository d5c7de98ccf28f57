import { LinearWebhookClient } from "@linear/sdk/webhooks";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, header, says, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

export default {
  provider: "linear",
  package: "@linear/sdk",
  secrets: sharedText("lin_wh_"),
  sign: null,
  verify: (request, secret) =>
    accepts(
      () => new LinearWebhookClient(secret).verify(Buffer.from(request.body), header(request, "linear-signature")),
      says(/^(Invalid|Missing) webhook/),
    ),
  tamper: flipBody,
  /** Made anew at each reading: they hold the time. */
  get bodies() {
    return jsonBodies({ action: "create", type: "Issue", webhookId: "w1", webhookTimestamp: Date.now() });
  },
  quirks: [
    "Reads the clock: webhookTimestamp of the signed body within 60 s both ways; a body without it, or with it as text, is refused.",
    "Ignores the linear-timestamp header.",
    "Refuses hex in upper case.",
    "Parses the body with JSON.parse: of two webhookTimestamp the last counts.",
  ],
} satisfies Oracle;
