import DodoPayments from "dodopayments";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, type Oracle } from "../oracle.ts";
import { sharedBase64 } from "../secrets.ts";

const { webhooks } = new DodoPayments({ bearerToken: "oracle" });

export default {
  provider: "dodo-payments",
  package: "dodopayments",
  secrets: sharedBase64(),
  sign: null,
  verify: (request, key) =>
    accepts(
      () => webhooks.unwrap(request.body, { headers: { ...request.headers }, key }),
      (error) => error.name === "WebhookVerificationError",
    ),
  tamper: flipBody,
  bodies: jsonBodies({ business_id: "b1", type: "payment.succeeded" }),
  quirks: ["Reads the clock: 300 s both ways.", "Without the headers argument it parses and does not verify."],
} satisfies Oracle;
