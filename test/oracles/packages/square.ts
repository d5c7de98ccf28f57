import { WebhooksHelper } from "square";
import { jsonBodies } from "../bodies.ts";
import { flipBody, header, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

export default {
  provider: "square",
  package: "square",
  secrets: sharedText("", 22),
  sign: null,
  verify: async (request, signatureKey) =>
    WebhooksHelper.verifySignature({
      requestBody: request.body,
      signatureHeader: header(request, "x-square-hmacsha256-signature"),
      signatureKey,
      notificationUrl: request.url,
    }),
  tamper: flipBody,
  bodies: jsonBodies({ merchant_id: "M1", type: "payment.updated", event_id: "e1" }),
  quirks: ["Compares base64 text with ===: only the canonical form passes."],
} satisfies Oracle;
