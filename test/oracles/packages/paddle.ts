import { Paddle } from "@paddle/paddle-node-sdk";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, header, says, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

const { webhooks } = new Paddle("oracle");

export default {
  provider: "paddle",
  package: "@paddle/paddle-node-sdk",
  secrets: sharedText("pdl_ntfset_"),
  sign: null,
  verify: (request, secret) =>
    accepts(() => webhooks.isSignatureValid(request.body, secret, header(request, "paddle-signature")), says(/Invalid webhook signature/)),
  tamper: flipBody,
  bodies: jsonBodies({ event_id: "evt_1", event_type: "transaction.paid" }),
  quirks: [
    "Reads the clock: refuses what is older than 5 s, accepts any future time.",
    "Keeps only the last h1, so during a rotation one of the two orders fails.",
    "A `new Webhooks()` of one's own, before any `new Paddle()`, has no crypto and answers false to everything.",
    "Signs the parsed number: `1700000000abc` verifies as 1700000000.",
  ],
} satisfies Oracle;
