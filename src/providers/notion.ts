/** Notion: https://developers.notion.com/reference/webhooks-events-delivery */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The payload says what changed and not to what: the page is fetched with the API. Of a retry, only `attempt_number` differs. */
export function notion<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "notion",
      title: "Notion",
      docs: "https://developers.notion.com/reference/webhooks-events-delivery",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-notion-signature")], form: "plain", prefix: "sha256=", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [json("id")],
      type: [json("type")],
      occurredAt: { from: json("timestamp"), unit: "iso" },
      handshakes: [{ kind: "post_secret", secret: json("verification_token"), echo: null }],
      hint: "{secret} is the verification_token that Notion's first request brings, and that is pasted back on the subscription's page; it is not the integration's token",
      facts: {
        proof: "vector",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: null,
        unverified: ["A retry carries the same id: the pages name attempt_number and do not say it of the id."],
      },
    },
    options,
  );
}

export const notionSample: MakeSample = (type = "page.content_updated", { id, user, amount, reference }) => ({
  type,
  body: {
    id,
    timestamp: new Date().toISOString(),
    workspace_id: "13950b26-c203-4f3b-b97d-93ec06319565",
    workspace_name: "Quantify Labs",
    subscription_id: "29d75c0d-5546-4414-8459-7b7a92f1fc4b",
    integration_id: "0ef2e755-4912-8096-91c1-00376a88a5ca",
    type,
    authors: [{ id: user, type: "person" }],
    accessible_by: [{ id: user, type: "person" }],
    attempt_number: 1,
    entity: { id: reference ?? id, type: "page" },
    data: { updated_blocks: [{ id: String(amount), type: "block" }], parent: { id: "space", type: "space" } },
  },
  headers: { "content-type": "application/json" },
});
