/** Finch: https://developer.tryfinch.com/docs/reference/webhooks */
import { standardWebhooks } from "../schemes/standard-webhooks.ts";
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

const scheme = standardWebhooks("finch", "base64");

/** Standard Webhooks under other header names; the id is in `finch-event-id`. */
export function finch<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "finch",
      title: "Finch",
      docs: "https://developer.tryfinch.com/docs/reference/webhooks",
      scheme: { ...scheme, message: [{ id: "finch-event-id" }, { literal: "." }, "timestamp", { literal: "." }, "body"] },
      id: [header("finch-event-id")],
      type: [json("event_type")],
      hint: "{secret} is the webhook's secret as Finch shows it, bare base64",
      facts: {
        proof: "package",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["That a retry repeats finch-event-id.", "Where the type stands in the body."],
      },
    },
    options,
  );
}

export const finchSample: MakeSample = (type = "employment.created", { id, user, amount, reference }) => ({
  type,
  body: {
    company_id: "720be419-0293-4d32-a707-32179b0827ab",
    connection_id: reference ?? id,
    event_type: type,
    data: { individual_id: user, amount },
  },
  headers: { "content-type": "application/json" },
});
