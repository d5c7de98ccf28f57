/** LINE: https://developers.line.biz/en/docs/messaging-api/receiving-messages/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The Messaging API. A delivery carries any number of events: the console's Verify button sends none. */
export function line<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "line",
      title: "LINE",
      docs: "https://developers.line.biz/en/docs/messaging-api/receiving-messages/",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8", // The channel secret looks like hex and is not decoded.
        signature: { at: [header("x-line-signature")], form: "plain", prefix: "", encoding: "base64" },
        message: ["body"],
        timestamp: null,
      },
      id: [digest()],
      type: [],
      // A redelivered event keeps its id and says `deliveryContext.isRedelivery`.
      split: { items: ["events"], id: [json("webhookEventId")], type: [json("type")], occurredAt: { from: json("timestamp"), unit: "ms" } },
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the Channel secret on the channel's Basic settings, not the channel access token",
      facts: {
        proof: "vector",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: null,
        unverified: [
          "That LINE demands 200 and no other 2xx.",
          "That a redelivered event keeps its webhookEventId: from LINE's model of the event, not from a page.",
        ],
      },
    },
    options,
  );
}

/** https://developers.line.biz/en/reference/messaging-api/#message-event */
export const lineSample: MakeSample = (type = "message", { id, user, amount, reference }) => ({
  type,
  body: {
    destination: "U00000000000000000000000000000000",
    events: [
      {
        type,
        mode: "active",
        timestamp: Date.now(),
        source: { type: "user", userId: user },
        webhookEventId: id,
        deliveryContext: { isRedelivery: false },
        replyToken: "nHuyWiB7yP5Zw52FIkcQobQuGDXCTA",
        message: { id: "444573844083572737", type: "text", text: `${reference ?? id}: ${amount}` },
      },
    ],
  },
  headers: { "content-type": "application/json; charset=utf-8", "user-agent": "LineBotWebhook/2.0" },
});
