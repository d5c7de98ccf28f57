import { generateWebhookSignature, verifyWebhookSignature } from "@hygraph/utils";
import { jsonBodies } from "../bodies.ts";
import { flipBody, header, withHeaders, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

export default {
  provider: "hygraph",
  package: "@hygraph/utils",
  secrets: sharedText(),
  sign: async (delivery, secret) => withHeaders(delivery, { "gcms-signature": generateWebhookSignature({ rawPayload: delivery.body, secret }) }),
  verify: async (request, secret) => {
    const signature = header(request, "gcms-signature");
    // It splits before it looks, and a header without two ", " ends in a TypeError.
    return signature.split(", ").length >= 3 && verifyWebhookSignature({ rawPayload: request.body, signature, secret });
  },
  tamper: flipBody,
  bodies: jsonBodies({ operation: "publish" }),
  quirks: [
    "Signs the JSON text of {Body, EnvironmentName, TimeStamp}, in which the body is an escaped string.",
    "Signs with the clock's time, whatever time the delivery has; milliseconds. Verifying enforces none.",
    "Throws a TypeError on a header of another form.",
  ],
} satisfies Oracle;
