import { signatureHelper } from "@kontent-ai/webhook-helper";
import { jsonBodies } from "../bodies.ts";
import { flipBody, header, withHeaders, type Oracle } from "../oracle.ts";
import { sharedBase64 } from "../secrets.ts";

export default {
  provider: "kontent-ai",
  package: "@kontent-ai/webhook-helper",
  secrets: sharedBase64("", 32),
  sign: async (delivery, secret) => withHeaders(delivery, { "x-kontent-ai-signature": signatureHelper.getHashFromString(delivery.body, secret) }),
  verify: async (request, secret) => signatureHelper.isValidSignatureFromString(request.body, secret, header(request, "x-kontent-ai-signature")),
  tamper: flipBody,
  bodies: jsonBodies({ notifications: [] }),
  quirks: ["The secret looks like base64 and is used as text.", "Compares base64 text with ===.", "The provider signs a body with CRLF line ends."],
} satisfies Oracle;
