/** Ably: https://ably.com/docs/platform/integrations/webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Batched, enveloped webhooks in JSON: Ably signs no others. Each of the items is an event. */
export function ably<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "ably",
      title: "Ably",
      docs: "https://ably.com/docs/platform/integrations/webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "after_colon",
        signature: { at: [header("x-ably-signature")], form: "plain", prefix: "", encoding: "base64" },
        message: ["body"],
        timestamp: null,
      },
      id: [digest()],
      type: [],
      // An item has no id of its own that the documentation names: with its messages and their ids, it differs from every other.
      split: { items: ["items"], id: [digest()], type: [json("name")], occurredAt: { from: json("timestamp"), unit: "ms" } },
      hint: "{secret} is the whole API key that the integration signs with, app.key:secret; its request mode must be Batch and its encoding JSON",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["That an item is the same bytes when its batch is sent again, alone or with newer ones."],
      },
    },
    options,
  );
}

export const ablySample: MakeSample = (type = "channel.message", { id, user, amount, reference }) => ({
  type,
  body: {
    items: [
      {
        webhookId: "ABcDEf",
        source: "channel.message",
        serial: "a7bcdEFghIjklm123456789:4",
        timestamp: 1_767_225_600_000,
        name: type,
        data: {
          channelId: "orders",
          site: "eu-west-1-A",
          messages: [
            { id, clientId: user, connectionId: "ABcDefgHIj", timestamp: 1_767_225_600_000, name: "order", data: `${reference ?? id}: ${amount}` },
          ],
        },
      },
    ],
  },
  headers: { "content-type": "application/json", "x-ably-key": "aBCdEf.ghIjKl", "x-ably-version": "1.2" },
});
