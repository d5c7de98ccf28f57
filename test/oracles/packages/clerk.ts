import { verifyWebhook } from "@clerk/backend/webhooks";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, says, type Oracle } from "../oracle.ts";
import { sharedBase64 } from "../secrets.ts";

export default {
  provider: "clerk",
  package: "@clerk/backend",
  secrets: sharedBase64(),
  sign: null,
  verify: (request, signingSecret) =>
    accepts(
      () => verifyWebhook(new Request(request.url, { method: request.method, headers: request.headers, body: request.body }), { signingSecret }),
      says(/Unable to verify incoming webhook/, /Missing required webhook headers/),
    ),
  tamper: flipBody,
  bodies: jsonBodies({ object: "event", type: "user.created" }),
  quirks: ["Reads the clock: 300 s both ways.", "Knows svix-* names only."],
} satisfies Oracle;
