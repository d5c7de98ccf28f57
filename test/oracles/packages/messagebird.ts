import { createSecretKey } from "node:crypto";
import { verify } from "messagebird/lib/webhook-signature-jwt.js";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, header, says, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

export default {
  provider: "messagebird",
  package: "messagebird",
  secrets: sharedText(),
  sign: null,
  verify: (request, secret) =>
    accepts(
      () =>
        verify(request.url, Buffer.from(request.body), header(request, "messagebird-signature-jwt"), createSecretKey(Buffer.from(secret, "utf8"))),
      says(/^invalid signature/),
    ),
  tamper: flipBody,
  bodies: jsonBodies(),
  quirks: [
    "Reads the clock: nbf and exp with 5 s of grace; the provider's tokens live 60 s.",
    "HS256, HS384 and HS512 are all accepted; iss must be MessageBird, jti must be there.",
    "An empty body needs no payload_hash, and if one is there it must match.",
    "Its Express middleware does not await the verification, and lets every request through: only the function is usable.",
  ],
} satisfies Oracle;
