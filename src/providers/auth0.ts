/** Auth0: https://auth0.com/docs/customize/log-streams/custom-log-streams */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Log streams of the kind Custom Webhook, in the format JSON Array (or Object). Each log entry is an event; its type is Auth0's code, `s` for a login. */
export function auth0<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "auth0",
      title: "Auth0",
      docs: "https://auth0.com/docs/customize/log-streams/custom-log-streams",
      // The header is the token and nothing more, unless you put a scheme in front of it at Auth0: then it is part of the secret.
      scheme: { kind: "token", at: header("authorization"), prefix: "" },
      id: [digest()],
      type: [],
      split: { items: [], id: [json("log_id")], type: [json("data.type")], occurredAt: { from: json("data.date"), unit: "iso" } },
      hint: "{secret} is the Authorization Token of the stream, character by character (with `Bearer ` if it says so there), and Content Format must be JSON Array: JSON Lines, the default, is no JSON",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["That an entry keeps its log_id when it is sent again.", "The shape of an entry, { log_id, data: { type, date } }."],
      },
    },
    options,
  );
}

/** https://auth0.com/docs/deploy-monitor/logs/log-event-type-codes */
export const auth0Sample: MakeSample = (type = "ss", { id, user, amount, reference }) => ({
  type,
  body: [
    {
      log_id: id,
      data: {
        date: "2026-01-01T00:00:00.000Z",
        type,
        connection: "Username-Password-Authentication",
        client_name: "Shop",
        ip: "203.0.113.7",
        user_id: `auth0|${user}`,
        description: `${reference ?? id}: ${amount}`,
        log_id: id,
        tenant_name: "shop",
      },
    },
  ],
  headers: { "content-type": "application/json" },
});
