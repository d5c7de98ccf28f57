/** Pipedrive, webhooks v2: https://pipedrive.readme.io/docs/guide-for-webhooks-v2 */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Pipedrive signs nothing: HTTP Basic says who sends, and nothing about the body. */
export function pipedrive<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "pipedrive",
      title: "Pipedrive",
      docs: "https://pipedrive.readme.io/docs/guide-for-webhooks-v2",
      scheme: { kind: "basic" },
      id: [json("meta.id"), digest("retry", "meta.attempt")], // meta.entity_id is the object's; webhooks v1 have no id at all, and count in `retry`.
      type: [joined(json("meta.entity"), json("meta.action"))],
      occurredAt: { from: json("meta.timestamp"), unit: "iso" },
      hint: "{secret} is `user:password`, the HTTP auth fields of the webhook; without them Pipedrive sends nothing that could be checked",
      facts: {
        proof: "documentation",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["The names in `meta`, and that a retry carries the same meta.id."],
      },
    },
    options,
  );
}

/** A deal, in the form of v2. */
export const pipedriveSample: MakeSample = (type = "deal.change", { id, user, amount, reference }) => {
  const [entity = "deal", action = "change"] = type.split(".");
  const timestamp = new Date().toISOString();
  return {
    type,
    body: {
      data: {
        id: 42,
        title: reference ?? id,
        value: amount / 100,
        currency: "EUR",
        status: "open",
        update_time: timestamp,
        custom_fields: { user_id: user },
      },
      previous: { status: "open" },
      meta: {
        action,
        entity,
        entity_id: "42",
        company_id: "1",
        id,
        timestamp,
        type: "general",
        version: "2.0",
        webhook_id: "1",
        attempt: 1,
      },
    },
    headers: { "content-type": "application/json", "user-agent": "Pipedrive Webhooks" },
  };
};
