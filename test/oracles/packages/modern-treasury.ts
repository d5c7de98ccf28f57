import ModernTreasury from "modern-treasury";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, says, withHeaders, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

const { webhooks } = new ModernTreasury({ apiKey: "oracle", organizationID: "oracle" });

export default {
  provider: "modern-treasury",
  package: "modern-treasury",
  secrets: sharedText(),
  sign: async (delivery, key) => withHeaders(delivery, { "x-signature": webhooks.getSignature(delivery.body, { key }) }),
  verify: (request, key) =>
    accepts(() => webhooks.validateSignature(request.body, { ...request.headers }, { key }), says(/Could not find .* header/)),
  tamper: flipBody,
  bodies: jsonBodies({ event: "created" }),
  quirks: ["Compares hex text with ===: refuses upper case."],
} satisfies Oracle;
