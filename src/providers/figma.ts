/** Figma: https://developers.figma.com/docs/rest-api/webhooks/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Figma signs nothing: the passcode stands in the body, and proves only that the sender knows it. A PING comes when the webhook is created. */
export function figma<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "figma",
      title: "Figma",
      docs: "https://developers.figma.com/docs/rest-api/webhooks/",
      scheme: { kind: "token", at: json("passcode"), prefix: "" },
      // Two events of one file can share a second. `retries` counts, and the passcode is the secret.
      id: [digest("retries", "passcode")],
      type: [json("event_type")],
      occurredAt: { from: json("timestamp"), unit: "iso" },
      hint: "the passcode that the webhook was created with must be the text in {secret}; Figma takes at most 100 characters and never shows it again",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: null,
        unverified: ["That a retry changes nothing but `retries`."],
      },
    },
    options,
  );
}

/** Its passcode comes with the signature. */
export const figmaSample: MakeSample = (type = "FILE_UPDATE", { id, user, amount, reference }) => ({
  type,
  body: {
    event_type: type,
    file_key: id,
    file_name: reference ?? `sample ${id}`,
    timestamp: "2026-01-01T00:00:00Z",
    triggered_by: { id: user, handle: "Pikachu" },
    webhook_id: "22",
    description: String(amount),
  },
  headers: { "content-type": "application/json" },
});
