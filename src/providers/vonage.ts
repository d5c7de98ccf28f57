/** Vonage: https://developer.vonage.com/en/getting-started/concepts/webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The signed webhooks of the Messages, Dispatch, Verify and Voice APIs, by POST. The old SMS API signs in its parameters, which this does not read. */
export function vonage<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "vonage",
      title: "Vonage",
      docs: "https://developer.vonage.com/en/getting-started/concepts/webhooks",
      scheme: {
        kind: "jwt",
        at: header("authorization"),
        prefix: "Bearer ",
        algorithms: ["HS256"],
        key: { secret: "utf8" },
        issuer: ["Vonage"],
        audience: null,
        claims: {},
        body: { claim: "payload_hash", encoding: "hex" },
        url: null,
        time: "iat",
      },
      // A message has one `message_uuid` through all its states.
      id: [digest()],
      type: [json("status"), json("message_type")],
      occurredAt: { from: json("timestamp"), unit: "iso" },
      // Anything but 200 is retried.
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the account's signature secret (API settings in the dashboard), not the API secret or the application's private key",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "That a retry has the same body, and so the same id, and a token of its own.",
          "That the Voice API signs as the Messages API is documented to: in the documentation that was read it was a preview.",
          "Webhooks by GET have no body to hash and are not received.",
        ],
      },
    },
    options,
  );
}

/** A message's status: https://developer.vonage.com/en/messages/concepts/signed-webhooks */
export const vonageSample: MakeSample = (type = "delivered", { id, user, amount, reference }) => ({
  type,
  body: {
    message_uuid: id,
    to: "447700900000",
    from: "447700900001",
    timestamp: "2026-01-01T00:00:00Z",
    status: type,
    channel: "sms",
    client_ref: `${reference ?? id} ${user}`,
    usage: { currency: "EUR", price: (amount / 100).toFixed(4) },
  },
  headers: { "content-type": "application/json", "user-agent": "Vonage/1.0" },
});
