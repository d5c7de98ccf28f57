import { InvalidSignatureException, SignatureValidator } from "mollie-api-typescript";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, header, withHeaders, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

export default {
  provider: "mollie",
  package: "mollie-api-typescript",
  secrets: sharedText(),
  sign: async (delivery, secret) =>
    withHeaders(delivery, { "x-mollie-signature": `sha256=${await SignatureValidator.createSignature(delivery.body, secret)}` }),
  verify: (request, secret) =>
    accepts(
      // Fetch and Node join the two headers of a rotation by a comma.
      () => SignatureValidator.validate(request.body, secret, header(request, "x-mollie-signature").split(/,\s*/)),
      (error) => error instanceof InvalidSignatureException,
    ),
  tamper: flipBody,
  bodies: jsonBodies({ resource: "event", id: "event_1", type: "payment-link.paid" }),
  quirks: [
    "Without any signature it answers false, with a wrong one it throws: a caller who only catches lets unsigned requests in.",
    "Accepts the hex without `sha256=`; refuses upper case.",
    "Takes several signatures as an array; one text with a comma is one signature.",
  ],
} satisfies Oracle;
