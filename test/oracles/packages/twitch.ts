import { EventSubMiddleware } from "@twurple/eventsub-http";
import { jsonBodies } from "../bodies.ts";
import { flipBody, header, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

/** The check that its request handler runs, marked internal; the handler itself wants an Express application and Twitch's API. */
interface Verifying {
  readonly _verifyData: (this: { readonly _secret: string }, id: string, timestamp: string, body: string, signature: string) => boolean;
}
const { _verifyData: verifyData } = EventSubMiddleware.prototype as unknown as Verifying;

export default {
  provider: "twitch",
  package: "@twurple/eventsub-http",
  secrets: sharedText(),
  sign: null,
  verify: async (request, secret) =>
    verifyData.call(
      { _secret: secret },
      header(request, "twitch-eventsub-message-id"),
      header(request, "twitch-eventsub-message-timestamp"),
      request.body,
      header(request, "twitch-eventsub-message-signature"),
    ),
  tamper: flipBody,
  bodies: jsonBodies({ subscription: { id: "s1", type: "channel.follow" } }),
  quirks: [
    "Not Twitch's own package, but the one that its users have.",
    "Enforces no time in this check.",
    "Joins id, time and body without separators.",
    "Accepts hex in upper case, and stops at the first byte that is not hex: a good signature with rubbish after it verifies.",
  ],
} satisfies Oracle;
