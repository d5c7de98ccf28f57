/** Jira: https://developer.atlassian.com/cloud/jira/platform/webhooks/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** For webhooks that an administrator registers with a secret: those of Connect and OAuth apps are not signed this way. */
export function jira<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "jira",
      title: "Jira",
      docs: "https://developer.atlassian.com/cloud/jira/platform/webhooks/",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-hub-signature")], form: "plain", prefix: "sha256=", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [header("x-atlassian-webhook-identifier"), digest()],
      type: [json("webhookEvent")],
      occurredAt: { from: json("timestamp"), unit: "ms" },
      hint: "the Secret of the webhook (System, WebHooks) must be the text in {secret}: Jira shows it only once, and webhooks of apps have none",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: null,
        unverified: [
          "X-Atlassian-Webhook-Identifier is the same over retries: read in the types of the package jira.js, which repeat Atlassian's page.",
          "The prefix sha256= and hex: read in Atlassian's page on Jira Data Center, whose webhooks are signed in the same way.",
        ],
      },
    },
    options,
  );
}

export const jiraSample: MakeSample = (type = "jira:issue_created", { id, user, amount, reference }) => ({
  type,
  body: {
    timestamp: Date.now(),
    webhookEvent: type,
    user: { accountId: user, displayName: "Example", active: true },
    issue: { id: String(amount), key: `PRJ-${amount}`, fields: { summary: reference ?? `sample ${id}`, issuetype: { name: "Task" } } },
  },
  headers: {
    "content-type": "application/json; charset=UTF-8",
    "user-agent": "Atlassian Webhook HTTP Client",
    "x-atlassian-webhook-flow": "Primary",
    "x-atlassian-webhook-identifier": id,
  },
});
