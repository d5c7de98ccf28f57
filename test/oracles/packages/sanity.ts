import { encodeSignatureHeader, isValidSignature } from "@sanity/webhook";
import { jsonBodies } from "../bodies.ts";
import { flipBody, header, withHeaders, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

export default {
  provider: "sanity",
  package: "@sanity/webhook",
  secrets: sharedText(),
  sign: async (delivery, secret) =>
    withHeaders(delivery, {
      "idempotency-key": delivery.id,
      "sanity-webhook-signature": await encodeSignatureHeader(delivery.body, delivery.timestampMs, secret),
    }),
  verify: async (request, secret) => isValidSignature(request.body, header(request, "sanity-webhook-signature"), secret),
  tamper: flipBody,
  bodies: jsonBodies({ _id: "d1", _type: "post" }),
  quirks: [
    "Milliseconds; the age is never judged, but a time before 2021 is refused.",
    "base64url without padding, compared as text: only the canonical form passes.",
    "Refuses an empty body.",
  ],
} satisfies Oracle;
