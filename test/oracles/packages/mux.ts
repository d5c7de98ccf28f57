import Mux from "@mux/mux-node";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, says, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

const { webhooks } = new Mux({ tokenId: "oracle", tokenSecret: "oracle" });

export default {
  provider: "mux",
  package: "@mux/mux-node",
  secrets: sharedText(),
  sign: null,
  verify: (request, secret) =>
    accepts(
      () => webhooks.verifySignature(request.body, { ...request.headers }, secret),
      says(/No signatures found matching/, /No v1 signatures/, /Unable to extract timestamp/, /too old/, /Could not find a mux-signature header/),
    ),
  tamper: flipBody,
  bodies: jsonBodies({ id: "e1", type: "video.asset.ready" }),
  quirks: [
    "Reads the clock: refuses what is older than 300 s, accepts any future time.",
    "Signs the parsed number: `1700000000abc` verifies as 1700000000.",
    "Refuses a space after the comma, and hex in upper case.",
  ],
} satisfies Oracle;
