/** Svix: https://docs.svix.com/receiving/verifying-payloads/how-manual */
import { standardWebhooks } from "../schemes/standard-webhooks.ts";
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface SvixOptions extends SourceOptions {
  /** `webhook` for senders that had the headers renamed to `webhook-id`, `webhook-timestamp` and `webhook-signature`. */
  readonly headers?: "svix" | "webhook";
}

/** For any sender behind Svix. The payload is the sender's own; its type stands in `type` or `eventType`, if it is there at all. */
export function svix<Data = unknown>({ headers = "svix", ...options }: SvixOptions = {}): Provider<Data> {
  return preset(
    {
      name: "svix",
      title: "Svix",
      docs: "https://docs.svix.com/receiving/verifying-payloads/how-manual",
      scheme: standardWebhooks(headers),
      id: [header(`${headers}-id`)],
      type: [json("type"), json("eventType"), json("event_type")],
      hint: "each endpoint has its own signing secret: {secret} is the one of this endpoint, whsec_ and base64, copied whole",
      facts: { proof: "vector", checked: "2026-11-30", sameIdOnRetry: true, ackSeconds: 15, unverified: [] },
    },
    options,
  );
}

/** Its id and timestamp headers come with the signature. */
export const svixSample: MakeSample = (type = "invoice.paid", { id, user, amount, reference }) => ({
  type,
  body: { type, timestamp: new Date().toISOString(), data: { id: reference ?? id, userId: user, amount } },
  headers: { "content-type": "application/json", "user-agent": "Svix-Webhooks/1.0" },
});
