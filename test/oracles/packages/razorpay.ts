import Razorpay from "razorpay";
import { jsonBodies } from "../bodies.ts";
import { flipBody, header, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

export default {
  provider: "razorpay",
  package: "razorpay",
  secrets: sharedText("", 20),
  sign: null,
  verify: async (request, secret) => Razorpay.validateWebhookSignature(request.body, header(request, "x-razorpay-signature"), secret),
  tamper: flipBody,
  bodies: jsonBodies({ entity: "event", event: "payment.captured" }),
  quirks: ["Compares hex text with ===: refuses upper case."],
} satisfies Oracle;
