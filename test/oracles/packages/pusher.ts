import Pusher from "pusher";
import Token from "pusher/lib/token.js";
import { flipBody, withHeaders, type Oracle } from "../oracle.ts";
import { sharedHex } from "../secrets.ts";

/** The other half of what the dashboard shows: it names the secret in `x-pusher-key`, and signs nothing. */
export const APP_KEY = "oracle_app_key";

export default {
  provider: "pusher",
  package: "pusher",
  secrets: sharedHex(10),
  sign: async (delivery, secret) =>
    withHeaders(delivery, {
      "content-type": "application/json",
      "x-pusher-key": APP_KEY,
      "x-pusher-signature": new Token(APP_KEY, secret).sign(delivery.body),
    }),
  verify: async (request, secret) =>
    new Pusher({ appId: "1", key: APP_KEY, secret, cluster: "eu" }).webhook({ headers: { ...request.headers }, rawBody: request.body }).isValid(),
  tamper: flipBody,
  bodies: [
    '{"time_ms":1767225600000,"events":[{"name":"channel_occupied","channel":"news"}]}',
    '{\r\n"time_ms":1767225600000,"events":[{"name":"client_event","data":"Zoë ☕ 😀 \\u00e9\\/"}]}\r\n',
  ],
  quirks: [
    "Demands exactly `application/json`, without a charset, and a body that is JSON.",
    "Refuses hex in upper case.",
    "x-pusher-key must name the key.",
  ],
} satisfies Oracle;
