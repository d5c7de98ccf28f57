import { WebflowClient } from "webflow-api";
import { jsonBodies } from "../bodies.ts";
import { flipBody, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

const { webhooks } = new WebflowClient({ accessToken: "oracle" });

export default {
  provider: "webflow",
  package: "webflow-api",
  secrets: sharedText("", 64),
  sign: null,
  verify: async (request, secret) => webhooks.verifySignature({ headers: { ...request.headers }, body: request.body, secret }),
  tamper: flipBody,
  bodies: jsonBodies({ triggerType: "form_submission" }),
  quirks: ["Milliseconds; enforces no time.", "Compares hex text with ===: refuses upper case."],
} satisfies Oracle;
