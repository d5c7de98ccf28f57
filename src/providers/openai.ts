/** OpenAI: https://platform.openai.com/docs/guides/webhooks */
import { standardWebhooks } from "../schemes/standard-webhooks.ts";
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The payload is thin: `data.id` names the response or the batch, whose result is fetched with the API. */
export function openai<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "openai",
      title: "OpenAI",
      docs: "https://platform.openai.com/docs/guides/webhooks",
      scheme: standardWebhooks("webhook"),
      id: [header("webhook-id")],
      type: [json("type")],
      occurredAt: { from: json("created_at"), unit: "s" },
      hint: "{secret} is the endpoint's signing secret with its whsec_, shown once when the webhook is created in the project's settings; it is not an API key",
      facts: {
        proof: "vector",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: null,
        unverified: ["A retry carries the same webhook-id: the guide was read second-hand, the package says nothing of retries."],
      },
    },
    options,
  );
}

export const openaiSample: MakeSample = (type = "response.completed", { id, reference }) => ({
  type,
  body: {
    id: `evt_${id}`,
    object: "event",
    created_at: Math.floor(Date.now() / 1_000),
    type,
    data: { id: `resp_${reference ?? id}` },
  },
  headers: { "content-type": "application/json", "user-agent": "OpenAI/1.0 (+https://platform.openai.com/docs/webhooks)" },
});
