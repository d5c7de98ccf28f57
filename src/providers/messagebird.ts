/** MessageBird (Bird): https://github.com/messagebird/messagebird-nodejs/blob/master/lib/webhook-signature-jwt.js */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The webhooks of MessageBird's own APIs, by POST. Their token covers the URL and the body. */
export function messagebird<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "messagebird",
      title: "MessageBird",
      docs: "https://github.com/messagebird/messagebird-nodejs/blob/master/lib/webhook-signature-jwt.js",
      scheme: {
        kind: "jwt",
        at: header("messagebird-signature-jwt"),
        prefix: "",
        algorithms: ["HS256", "HS384", "HS512"],
        key: { secret: "utf8" },
        issuer: ["MessageBird"],
        audience: null,
        claims: {},
        body: { claim: "payload_hash", encoding: "hex" },
        url: { claim: "url_hash" },
        time: null, // Its own `nbf` and `exp` are a minute apart.
      },
      // `jti` names the attempt, and each product has ids of its own.
      id: [digest()],
      type: [json("type"), json("status")],
      hint: "{secret} is the signing key under Developers, Settings (not an access key), and PUBLIC_BASE_URL must be exactly what MessageBird was given",
      facts: {
        proof: "vector",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["That a retry has the same body, and so the same id.", "Webhooks by GET have no body to hash and are not received."],
      },
    },
    options,
  );
}

export const messagebirdSample: MakeSample = (type = "message.created", { id, user, amount, reference }) => ({
  type,
  body: {
    type,
    contact: { id: user, msisdn: 31_612_345_678 },
    conversation: { id: reference ?? id, status: "active" },
    message: {
      id,
      conversationId: reference ?? id,
      direction: "received",
      type: "text",
      content: { text: String(amount) },
      createdDatetime: "2026-01-01T00:00:00Z",
    },
  },
  headers: { "content-type": "application/json", "user-agent": "MessageBird/http" },
});
