import { computeWebhookSignature } from "box-node-sdk/internal/utils";
import { WebhooksManager } from "box-node-sdk/managers/webhooks";
import { jsonBodies } from "../bodies.ts";
import { flipBody, withHeaders, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

export default {
  provider: "box",
  package: "box-node-sdk",
  secrets: sharedText(),
  sign: async (delivery, primaryKey) => {
    const headers = {
      "box-delivery-id": delivery.id,
      // Without milliseconds, as Box sends it.
      "box-delivery-timestamp": new Date(delivery.timestampMs).toISOString().replace(/\.\d+Z$/, "Z"),
      "box-signature-algorithm": "HmacSHA256",
      "box-signature-version": "1",
    };
    const signature = await computeWebhookSignature(delivery.body, headers, primaryKey, false);
    if (signature === null || signature === undefined) throw new TypeError("box-node-sdk made no signature");
    return withHeaders(delivery, { ...headers, "box-signature-primary": signature });
  },
  verify: async (request, primaryKey) => WebhooksManager.validateMessage(request.body, { ...request.headers }, primaryKey),
  tamper: flipBody,
  bodies: jsonBodies({ type: "webhook_event", id: "e1", trigger: "FILE.UPLOADED" }),
  quirks: [
    "Reads the clock: refuses what is older than 600 s, and whatever is a second in the future.",
    "Tries the body as it came, then with \\u escapes beyond ASCII and \\/ for /: one signature passes for two bodies.",
    "Here the primary key alone; a dashboard has a secondary one too.",
    "Compares decoded base64: unpadded, and a good signature with rubbish after its padding pass.",
    "A timestamp that is no date is neither too old nor too new.",
  ],
} satisfies Oracle;
