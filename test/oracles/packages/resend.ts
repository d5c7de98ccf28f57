import { Resend } from "resend";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, header, type Oracle } from "../oracle.ts";
import { sharedBase64 } from "../secrets.ts";

const { webhooks } = new Resend("re_oracle");

export default {
  provider: "resend",
  package: "resend",
  secrets: sharedBase64(),
  sign: null,
  verify: (request, webhookSecret) =>
    accepts(
      () =>
        webhooks.verify({
          payload: request.body,
          headers: {
            id: header(request, "svix-id"),
            timestamp: header(request, "svix-timestamp"),
            signature: header(request, "svix-signature"),
          },
          webhookSecret,
        }),
      // standardwebhooks' class, which resend does not export.
      (error) => error.name === "WebhookVerificationError",
    ),
  tamper: flipBody,
  bodies: jsonBodies({ type: "email.sent" }),
  quirks: ["Reads the clock: 300 s both ways.", "Takes the three values, not the headers: their names (svix-*) are the adapter's."],
} satisfies Oracle;
