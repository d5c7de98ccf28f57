import { WebhookHandler } from "@liveblocks/node";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, says, type Oracle } from "../oracle.ts";
import { sharedBase64 } from "../secrets.ts";

export default {
  provider: "liveblocks",
  package: "@liveblocks/node",
  secrets: sharedBase64(),
  sign: null,
  verify: (request, secret) =>
    accepts(
      () => new WebhookHandler(secret).verifyRequest({ headers: { ...request.headers }, rawBody: request.body }),
      says(/^Invalid signature/, /^Invalid webhook-(id|timestamp|signature) header/, /^Timestamp /, /^Invalid timestamp/),
    ),
  tamper: flipBody,
  bodies: jsonBodies({ type: "roomCreated" }),
  quirks: [
    "Reads the clock: 300 s both ways.",
    "Does not look at the version: `v2,…` passes as `v1,…`.",
    "Puts the expected signature into its error's text, which must not reach a log or a sender.",
    "Demands whsec_, and refuses event types that it does not know.",
  ],
} satisfies Oracle;
