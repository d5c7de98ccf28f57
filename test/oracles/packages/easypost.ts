import EasyPost from "@easypost/api";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, says, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

const { Utils } = new EasyPost("oracle");

export default {
  provider: "easypost",
  package: "@easypost/api",
  /** With letters that NFKD takes apart. */
  secrets: sharedText("sécrèt-ﬁ-"),
  sign: null,
  verify: (request, secret) =>
    accepts(
      () => Utils.validateWebhook(Buffer.from(request.body), { ...request.headers }, secret),
      says(/Webhook received did not originate from EasyPost/, /does not contain a valid HMAC signature/),
    ),
  tamper: flipBody,
  bodies: jsonBodies({ id: "evt_1", description: "tracker.updated" }),
  quirks: [
    "The secret is normalised (NFKD) before it is a key.",
    'Rewrites `"weight": 26` to `"weight": 26.0` before it verifies: a signature over a body with an integer weight fails there, and one body verifies for both spellings.',
    "Refuses hex in upper case.",
    "A body that is not JSON is told as a signature that does not match.",
  ],
} satisfies Oracle;
