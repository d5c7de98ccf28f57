import { parse } from "gocardless-nodejs/webhooks";
import { flipBody, header, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

export default {
  provider: "gocardless",
  package: "gocardless-nodejs",
  secrets: sharedText(),
  sign: null,
  verify: async (request, secret) => {
    try {
      parse(request.body, secret, header(request, "webhook-signature"));
      return true;
    } catch (error) {
      // Not an Error: a bare object with this name.
      if (typeof error === "object" && error !== null && "name" in error && error.name === "InvalidSignatureError") return false;
      throw error;
    }
  },
  tamper: flipBody,
  bodies: [
    '{"events":[{"id":"EV1","resource_type":"payments","action":"confirmed"},{"id":"EV2","resource_type":"mandates","action":"created"}],"meta":{"webhook_id":"WB1"}}',
    '{\r\n "events": [],\r\n "meta": { "webhook_id": "Zoë ☕ 😀 \\u00e9" }\r\n}\r\n',
  ],
  quirks: [
    "Accepts hex in upper case, and stops at the first byte that is not hex: a good signature with rubbish after it verifies.",
    "Throws an object that is no Error.",
  ],
} satisfies Oracle;
