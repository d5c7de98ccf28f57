import { hmacValidator } from "@adyen/api-library";
import { jsonBodies } from "../bodies.ts";
import { flipBody, header, withHeaders, type Oracle } from "../oracle.ts";
import { sharedHex } from "../secrets.ts";

export default {
  provider: "adyen-platform",
  package: "@adyen/api-library",
  secrets: sharedHex(),
  sign: async (delivery, key) => withHeaders(delivery, { hmacsignature: new hmacValidator().calculateHmac(delivery.body, key) }),
  verify: async (request, key) => new hmacValidator().validateHMACSignature(key, header(request, "hmacsignature"), request.body),
  tamper: flipBody,
  bodies: jsonBodies({ type: "balancePlatform.accountHolder.created", environment: "test" }),
  quirks: ["The key is hex, decoded.", "Compares decoded base64: unpadded, and a good signature with rubbish after its padding pass."],
} satisfies Oracle;
