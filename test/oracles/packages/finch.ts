import Finch from "@tryfinch/finch-api";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, says, type Oracle } from "../oracle.ts";
import { sharedBase64 } from "../secrets.ts";

const { webhooks } = new Finch({ accessToken: "oracle" });

export default {
  provider: "finch",
  package: "@tryfinch/finch-api",
  secrets: sharedBase64("", 32),
  sign: null,
  verify: (request, secret) =>
    accepts(
      () => webhooks.verifySignature(request.body, { ...request.headers }, secret),
      says(/None of the given webhook signatures match/, /Webhook timestamp is too/, /Invalid timestamp header/, /Could not find .* header/),
    ),
  tamper: flipBody,
  bodies: jsonBodies({ event_type: "account.updated" }),
  quirks: [
    "Reads the clock: 300 s both ways.",
    "The secret is bare base64, and must be in its canonical form.",
    "Headers are finch-event-id, finch-timestamp, finch-signature.",
  ],
} satisfies Oracle;
