import { OnfidoInvalidSignatureError, WebhookEventVerifier } from "@onfido/api";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, header, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

export default {
  provider: "onfido",
  package: "@onfido/api",
  secrets: sharedText(),
  sign: null,
  verify: (request, token) =>
    accepts(
      () => new WebhookEventVerifier(token).readPayload(request.body, header(request, "x-sha2-signature")),
      (error) => error instanceof OnfidoInvalidSignatureError || error instanceof RangeError,
    ),
  tamper: flipBody,
  bodies: jsonBodies({ payload: { resource_type: "check", action: "check.completed" } }),
  quirks: [
    "Throws a RangeError, not its own error, on a signature of another length.",
    "Accepts hex in upper case, and stops at the first byte that is not hex: a good signature with rubbish after it verifies.",
  ],
} satisfies Oracle;
