/** Heroku: https://devcenter.heroku.com/articles/app-webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The type is the entity and what was done to it: `api:release.create`. With the level `notify` Heroku tries once, with `sync` again. */
export function heroku<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "heroku",
      title: "Heroku",
      docs: "https://devcenter.heroku.com/articles/app-webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("heroku-webhook-hmac-sha256")], form: "plain", prefix: "", encoding: "base64" },
        message: ["body"],
        timestamp: null,
      },
      id: [json("id")],
      type: [joined(json("webhook_metadata.event.include"), json("action")), joined(json("resource"), json("action"))],
      occurredAt: { from: json("created_at"), unit: "iso" },
      hint: "{secret} is the webhook's secret, shown once by `heroku webhooks:add`; it is neither the authorization value nor an API key",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "The signature is base64: Heroku's page names the HMAC and its header, the encoding was read in receivers of others (Sentry's among them).",
          "The id at the top of the body is the event's, and the same in a retry.",
        ],
      },
    },
    options,
  );
}

export const herokuSample: MakeSample = (type = "api:release.create", { id, user, amount, reference }) => {
  const [include = "api:release", action] = type.split(".");
  return {
    type,
    body: {
      id,
      action,
      actor: { id: user, email: "user@example.com" },
      created_at: "2026-01-01T00:00:00Z",
      data: { id: reference ?? id, version: amount, status: "succeeded", app: { id: "app", name: "example" } },
      previous_data: {},
      published_at: "2026-01-01T00:00:01Z",
      resource: include.replace("api:", ""),
      sequence: null,
      version: "application/vnd.heroku+json; version=3",
      webhook_metadata: { attempt: { id: `attempt-${id}` }, delivery: { id: `delivery-${id}` }, event: { id, include }, webhook: { id: "hook" } },
    },
    headers: { "content-type": "application/json", "user-agent": "Heroku-Webhooks" },
  };
};
