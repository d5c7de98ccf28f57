import { verifySignature } from "@vonage/jwt";
import { jsonBodies } from "../bodies.ts";
import { header, withHeaders, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

export default {
  provider: "vonage",
  package: "@vonage/jwt",
  secrets: sharedText("", 40),
  sign: null,
  verify: async (request, secret) => verifySignature(header(request, "authorization").replace(/^Bearer /, ""), secret),
  /** The package does not compare the body with payload_hash, so only the token can be tampered with. */
  tamper: (request) =>
    withHeaders(request, {
      authorization: header(request, "authorization").replace(/\.(.)/, (_dot, first: string) => `.${first === "e" ? "f" : "e"}`),
    }),
  bodies: jsonBodies({ message_uuid: "m1", status: "delivered" }),
  quirks: [
    "Verifies the token alone: whether payload_hash is the body's is left to the caller, so this oracle accepts another body.",
    "RS256 and HS256 are both accepted with whatever key is given.",
    "Reads the clock where the token has exp or nbf; iat is not judged.",
  ],
} satisfies Oracle;
