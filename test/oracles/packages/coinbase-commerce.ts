import coinbase from "coinbase-commerce-node";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, header, withHeaders, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

/** In the package's lib/Webhook.js, though not in its types. */
interface Signing {
  computeSignature(payload: string, secret: string): string;
}
const signing = coinbase.Webhook as unknown as Signing;

export default {
  provider: "coinbase-commerce",
  package: "coinbase-commerce-node",
  secrets: sharedText(),
  sign: async (delivery, secret) => withHeaders(delivery, { "x-cc-webhook-signature": signing.computeSignature(delivery.body, secret) }),
  verify: (request, secret) =>
    accepts(
      () => coinbase.Webhook.verifyEventBody(request.body, header(request, "x-cc-webhook-signature"), secret),
      (error) => error.name === "SignatureVerificationError" || /No signatures found matching/.test(error.message),
    ),
  tamper: flipBody,
  bodies: jsonBodies({ id: 1, attempt_number: 1, event: { id: "e1", type: "charge:confirmed" } }),
  quirks: ["Parses before it verifies: a body without `event` is another error than a bad signature.", "Refuses hex in upper case."],
} satisfies Oracle;
