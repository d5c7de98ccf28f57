import { isValidSlackRequest } from "@slack/bolt";
import { FORM_BODIES, jsonBodies } from "../bodies.ts";
import { flipBody, header, type Oracle } from "../oracle.ts";
import { sharedHex } from "../secrets.ts";

export default {
  provider: "slack",
  package: "@slack/bolt",
  secrets: sharedHex(16),
  sign: null,
  verify: async (request, signingSecret) =>
    isValidSlackRequest({
      signingSecret,
      body: request.body,
      headers: {
        "x-slack-signature": header(request, "x-slack-signature"),
        // As Bolt's own receivers read it.
        "x-slack-request-timestamp": Number.parseInt(header(request, "x-slack-request-timestamp"), 10),
      },
    }),
  tamper: flipBody,
  bodies: [...jsonBodies({ type: "event_callback", event_id: "Ev1" }), ...FORM_BODIES],
  quirks: [
    "The secret looks like hex and is used as text.",
    "Reads the clock: refuses what is older than 300 s, accepts any future time, although its message promises both.",
    "Signs the parsed number: `1700000000abc` and `01700000000` verify as 1700000000.",
  ],
} satisfies Oracle;
