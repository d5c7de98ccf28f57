import { Signature } from "@hubspot/api-client";
import { JSON_BATCHES, jsonBodies } from "../bodies.ts";
import { accepts, flipBody, header, says, withHeaders, type Oracle, type OracleRequest } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

const signed = (request: OracleRequest, clientSecret: string, timestamp: number) => ({
  // Its type demands one of the signer too.
  signature: "",
  clientSecret,
  requestBody: request.body,
  url: request.url,
  timestamp,
});

export default {
  provider: "hubspot",
  package: "@hubspot/api-client",
  secrets: sharedText("", 36),
  sign: async (delivery, secret) =>
    withHeaders(delivery, {
      "x-hubspot-request-timestamp": String(delivery.timestampMs),
      "x-hubspot-signature-v3": Signature.getSignature(delivery.method, "v3", signed(delivery, secret, delivery.timestampMs)),
    }),
  verify: (request, secret) =>
    accepts(
      () =>
        Signature.isValid({
          ...signed(request, secret, Number(header(request, "x-hubspot-request-timestamp"))),
          signature: header(request, "x-hubspot-signature-v3"),
          signatureVersion: "v3",
          method: request.method,
        }),
      says(/Timestamp is invalid/),
    ),
  tamper: flipBody,
  bodies: [...JSON_BATCHES, ...jsonBodies()],
  quirks: [
    "Reads the clock: refuses what is older than 300 s, accepts any future time.",
    "Signs the URL as given, without the percent-decoding that the documentation asks for.",
    "Compares base64 text with ===.",
    "This adapter speaks v3 alone; the package also has v1 and v2.",
  ],
} satisfies Oracle;
