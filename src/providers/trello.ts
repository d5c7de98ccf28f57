/** Trello: https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** HMAC-SHA1 over the body and, after it, the callback URL exactly as it was given when the webhook was created. */
export function trello<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "trello",
      title: "Trello",
      docs: "https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/",
      scheme: {
        kind: "hmac",
        hash: "SHA-1",
        key: "utf8",
        signature: { at: [header("x-trello-webhook")], form: "plain", prefix: "", encoding: "base64" },
        message: ["body", "url"],
        timestamp: null,
      },
      id: [json("action.id")],
      type: [json("action.type")],
      occurredAt: { from: json("action.date"), unit: "iso" },
      hint: "{secret} is the application's secret (not its API key, not a token), and PUBLIC_BASE_URL must give the callbackURL letter by letter",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["A retry carries the same action."],
      },
    },
    options,
  );
}

export const trelloSample: MakeSample = (type = "updateCard", { id, user, amount, reference }) => ({
  type,
  body: {
    model: { id: "4d5ea62fd76aa1136000000c", name: "Trello Development", closed: false },
    action: {
      id,
      idMemberCreator: user,
      type,
      date: new Date().toISOString(),
      data: {
        board: { id: "4d5ea62fd76aa1136000000c", name: "Trello Development" },
        card: { id: `card-${amount}`, name: reference ?? `sample ${id}` },
      },
      memberCreator: { id: user, fullName: "Example", username: "example" },
    },
  },
  headers: { "content-type": "application/json; charset=utf-8" },
});
