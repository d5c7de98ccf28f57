/** ClickUp: https://developer.clickup.com/docs/webhooksignature */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compound, digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The id of the first history item and what happened name the event; where there is none (something was deleted), the body's digest does. */
export function clickup<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "clickup",
      title: "ClickUp",
      docs: "https://developer.clickup.com/docs/webhooksignature",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [compound(json("webhook_id"), json("event"), json("history_items.0.id")), digest()],
      type: [json("event")],
      occurredAt: { from: json("history_items.0.date"), unit: "ms" },
      hint: "{secret} is webhook.secret of the answer to creating the webhook with the API; each webhook has its own",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: 7,
        unverified: ["A retry carries the same history items, and the same bytes."],
      },
    },
    options,
  );
}

export const clickupSample: MakeSample = (type = "taskStatusUpdated", { id, user, amount, reference }) => ({
  type,
  body: {
    event: type,
    history_items: [
      {
        id,
        type: 1,
        date: "1767225600000",
        field: "status",
        parent_id: "162641062",
        user: { id: user, username: "John", email: "john@example.com" },
        before: { status: "to do", orderindex: 0 },
        after: { status: "in progress", orderindex: amount },
      },
    ],
    task_id: reference ?? id,
    webhook_id: "7fa3ec74-69a8-4530-a251-8a13730bd204",
  },
  headers: { "content-type": "application/json" },
});
