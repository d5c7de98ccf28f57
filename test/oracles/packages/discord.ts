import { verifyKey } from "discord-interactions";
import { jsonBodies } from "../bodies.ts";
import { flipBody, header, type Oracle } from "../oracle.ts";
import { ed25519Pair } from "../secrets.ts";

export default {
  provider: "discord",
  package: "discord-interactions",
  secrets: ed25519Pair("hex"),
  sign: null,
  verify: async (request, publicKey) =>
    verifyKey(request.body, header(request, "x-signature-ed25519"), header(request, "x-signature-timestamp"), publicKey),
  tamper: flipBody,
  bodies: jsonBodies({ version: 1, application_id: "1234560123453231555", type: 1 }),
  quirks: [
    "Enforces no time.",
    "Joins timestamp and body without a separator.",
    "Reads hex with parseInt: `0g` is 0, so a malformed signature can decode.",
  ],
} satisfies Oracle;
