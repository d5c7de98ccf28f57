import { SignatureVerificationException, WorkOS } from "@workos-inc/node";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, header, withHeaders, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

const { webhooks } = new WorkOS("sk_oracle");

export default {
  provider: "workos",
  package: "@workos-inc/node",
  secrets: sharedText(),
  sign: async (delivery, secret) =>
    withHeaders(delivery, {
      "workos-signature": `t=${delivery.timestampMs}, v1=${await webhooks.computeSignature(delivery.timestampMs, delivery.body, secret)}`,
    }),
  verify: (request, secret) =>
    accepts(
      () => webhooks.verifyHeader({ payload: request.body, sigHeader: header(request, "workos-signature"), secret }),
      (error) => error instanceof SignatureVerificationException,
    ),
  tamper: flipBody,
  bodies: jsonBodies({ id: "event_1", event: "user.created" }),
  quirks: [
    "Milliseconds. Reads the clock: refuses what is older than 180 s, accepts any future time.",
    "Reads the first two items by position and looks at neither name: `x=…, y=…` verifies.",
    "A text is signed as it is (8.13.0 parsed and stringified it); a parsed body is still stringified first.",
  ],
} satisfies Oracle;
