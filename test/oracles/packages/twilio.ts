import { parse } from "node:querystring";
import twilio from "twilio";
import { FORM_BODIES, jsonBodies } from "../bodies.ts";
import { flipBody, header, withHeaders, type Oracle, type OracleRequest } from "../oracle.ts";
import { sharedHex } from "../secrets.ts";

const isJson = (request: OracleRequest): boolean => /^\s*[[{]/.test(request.body);
const parameters = (request: OracleRequest): Record<string, unknown> => ({ ...parse(request.body) });

export default {
  provider: "twilio",
  package: "twilio",
  secrets: sharedHex(16),
  sign: async (delivery, token) => {
    if (!isJson(delivery)) {
      return withHeaders(delivery, {
        "content-type": "application/x-www-form-urlencoded",
        "i-twilio-idempotency-token": delivery.id,
        "x-twilio-signature": twilio.getExpectedTwilioSignature(token, delivery.url, parameters(delivery)),
      });
    }
    const url = `${delivery.url}${delivery.url.includes("?") ? "&" : "?"}bodySHA256=${twilio.getExpectedBodyHash(delivery.body)}`;
    return withHeaders(
      { ...delivery, url },
      {
        "content-type": "application/json",
        "i-twilio-idempotency-token": delivery.id,
        "x-twilio-signature": twilio.getExpectedTwilioSignature(token, url, {}),
      },
    );
  },
  verify: async (request, token) => {
    const signature = header(request, "x-twilio-signature");
    return isJson(request)
      ? twilio.validateRequestWithBody(token, signature, request.url, request.body)
      : twilio.validateRequest(token, signature, request.url, parameters(request));
  },
  tamper: flipBody,
  bodies: [...FORM_BODIES, ...jsonBodies()],
  quirks: [
    "Tries the URL as given, without its port, with the default port, and as `new URL()` and node:querystring would write it.",
    "Sorts names and repeated values by UTF-16 code units; equal values of one name count once.",
    "The signature of a JSON request covers the URL alone, whose bodySHA256 covers the body.",
    "Joins names and values without a separator: `a=bc` and `ab=c` have one signature.",
  ],
} satisfies Oracle;
