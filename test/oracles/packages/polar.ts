import { webhooks } from "@polar-sh/sdk/2026-04";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

export default {
  provider: "polar",
  package: "@polar-sh/sdk",
  secrets: sharedText("polar_whs_"),
  sign: null,
  verify: (request, secret) =>
    accepts(
      () => webhooks.validateEvent(request.body, { ...request.headers }, secret),
      (error) => error instanceof webhooks.PolarWebhookVerificationError,
    ),
  tamper: flipBody,
  bodies: jsonBodies({ type: "order.created", timestamp: "2026-01-01T00:00:00Z" }),
  quirks: [
    "Reads the clock: 300 s both ways.",
    "Tries two keys: the whole secret as UTF-8 text, and what follows an optional whsec_ as base64 where it is base64.",
    "Decodes signatures leniently (atob).",
    "An event type that it does not know is another error, after the signature.",
  ],
} satisfies Oracle;
