import Telnyx from "telnyx";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, type Oracle } from "../oracle.ts";
import { ed25519Pair } from "../secrets.ts";

const { webhooks } = new Telnyx({ apiKey: "oracle" });

export default {
  provider: "telnyx",
  package: "telnyx",
  secrets: ed25519Pair("base64"),
  sign: null,
  verify: (request, key) =>
    accepts(
      () => webhooks.unwrap(request.body, { headers: { ...request.headers }, key }),
      (error) => error.name === "TelnyxWebhookVerificationError",
    ),
  tamper: flipBody,
  bodies: jsonBodies({ meta: { attempt: 1 } }),
  quirks: ["Reads the clock: 300 s both ways.", "Demands padded base64, but not its canonical form."],
} satisfies Oracle;
