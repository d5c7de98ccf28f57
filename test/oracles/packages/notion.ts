import { signWebhookPayload, verifyWebhookSignature } from "@notionhq/client";
import { jsonBodies } from "../bodies.ts";
import { flipBody, header, withHeaders, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

export default {
  provider: "notion",
  package: "@notionhq/client",
  secrets: sharedText("secret_", 43),
  sign: async (delivery, verificationToken) =>
    withHeaders(delivery, { "x-notion-signature": await signWebhookPayload({ body: delivery.body, verificationToken }) }),
  verify: async (request, verificationToken) =>
    verifyWebhookSignature({ body: request.body, signature: header(request, "x-notion-signature"), verificationToken }),
  tamper: flipBody,
  bodies: jsonBodies({ id: "e1", type: "page.created", attempt_number: 1 }),
  quirks: ["Accepts hex in upper case."],
} satisfies Oracle;
