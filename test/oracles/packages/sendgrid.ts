import { EventWebhook } from "@sendgrid/eventwebhook";
import { JSON_BATCHES } from "../bodies.ts";
import { flipBody, header, type Oracle } from "../oracle.ts";
import { p256Pair } from "../secrets.ts";

const webhook = new EventWebhook();

export default {
  provider: "sendgrid",
  package: "@sendgrid/eventwebhook",
  secrets: p256Pair,
  sign: null,
  verify: async (request, publicKey) => {
    const key = webhook.convertPublicKeyToECDSA(publicKey);
    try {
      return webhook.verifySignature(
        key,
        request.body,
        header(request, "x-twilio-email-event-webhook-signature"),
        header(request, "x-twilio-email-event-webhook-timestamp"),
      );
    } catch {
      // Its DER reader throws plain errors on what is not a signature.
      return false;
    }
  },
  tamper: flipBody,
  bodies: [
    ...JSON_BATCHES,
    '[{"email":"a@example.com","event":"delivered","sg_event_id":"e1"},\r\n{"email":"b@example.com","event":"open","sg_event_id":"e2"}]\r\n',
  ],
  quirks: ["Enforces no time.", "Throws, rather than refuses, on what is not DER."],
} satisfies Oracle;
