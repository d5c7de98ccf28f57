/** Lithic: https://docs.lithic.com/docs/events-api */
import { standardWebhooks } from "../schemes/standard-webhooks.ts";
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function lithic<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "lithic",
      title: "Lithic",
      docs: "https://docs.lithic.com/docs/events-api",
      scheme: standardWebhooks("webhook"),
      id: [header("webhook-id")],
      type: [json("event_type")],
      hint: "{secret} is the secret of the event subscription (GET /v1/event_subscriptions/<token>/secret), whsec_ and base64",
      facts: {
        proof: "package",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["That a retry repeats webhook-id, as Standard Webhooks says.", "Where the type stands in the body."],
      },
    },
    options,
  );
}

export const lithicSample: MakeSample = (type = "card.created", { id, user, amount, reference }) => ({
  type,
  body: { event_type: type, token: id, card_token: reference ?? id, account_token: user, amount },
  headers: { "content-type": "application/json" },
});
