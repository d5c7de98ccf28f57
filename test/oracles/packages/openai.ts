import OpenAI, { InvalidWebhookSignatureError } from "openai";
import { jsonBodies } from "../bodies.ts";
import { accepts, flipBody, says, type Oracle } from "../oracle.ts";
import { sharedBase64 } from "../secrets.ts";

const { webhooks } = new OpenAI({ apiKey: "sk-oracle" });
const missing = says(/Missing required header/);

export default {
  provider: "openai",
  package: "openai",
  secrets: sharedBase64("whsec_", 32),
  sign: null,
  verify: (request, secret) =>
    accepts(
      () => webhooks.verifySignature(request.body, { ...request.headers }, secret),
      (error) => error instanceof InvalidWebhookSignatureError || missing(error),
    ),
  tamper: flipBody,
  bodies: jsonBodies({ id: "evt_1", object: "event", type: "response.completed" }),
  quirks: [
    "Reads the clock: 300 s both ways.",
    "A secret without whsec_ is used as UTF-8 text, not decoded.",
    "Accepts a bare base64 signature without `v1,`.",
    "Signs the timestamp as sent, but judges its age by parseInt.",
  ],
} satisfies Oracle;
