import { validateWebhook } from "replicate";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, header, says, type Oracle } from "../oracle.ts";
import { sharedBase64 } from "../secrets.ts";

export default {
  provider: "replicate",
  package: "replicate",
  secrets: sharedBase64(),
  sign: null,
  verify: (request, secret) =>
    accepts(
      () =>
        validateWebhook({
          id: header(request, "webhook-id"),
          timestamp: header(request, "webhook-timestamp"),
          signature: header(request, "webhook-signature"),
          body: request.body,
          secret,
        }),
      says(/Missing required webhook headers/),
    ),
  tamper: flipBody,
  bodies: jsonBodies({ id: "p1", status: "succeeded" }),
  quirks: [
    "Enforces no time.",
    "Does not look at the version: `v2,…` passes as `v1,…`.",
    "Compares base64 text with ===; takes what follows the last `_` of the secret for base64.",
    "Throws on an empty body.",
  ],
} satisfies Oracle;
