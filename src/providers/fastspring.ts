/** FastSpring: https://developer.fastspring.com/docs/message-security */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function fastspring<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "fastspring",
      title: "FastSpring",
      docs: "https://developer.fastspring.com/docs/message-security",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-fs-signature")], form: "plain", prefix: "", encoding: "base64" },
        message: ["body"],
        timestamp: null,
      },
      id: [digest()],
      type: [],
      split: {
        items: ["events"],
        id: [json("id")], // An automatic retry has the same one, a webhook resent by hand a new one.
        type: [json("type")],
        occurredAt: { from: json("created"), unit: "ms" },
      },
      // A 202 means that only those events were taken whose ids stand in its body.
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the HMAC SHA256 Secret of this webhook URL; where that field is empty FastSpring signs nothing",
      facts: {
        proof: "documentation",
        checked: "2026-11-29",
        sameIdOnRetry: true,
        ackSeconds: null,
        unverified: ["What a 202 means is from memory; a 200 takes all events of a delivery."],
      },
    },
    options,
  );
}

/** https://developer.fastspring.com/docs/webhooks */
export const fastspringSample: MakeSample = (type = "order.completed", { id, user, amount, reference }) => ({
  type,
  body: {
    events: [
      {
        id,
        live: false,
        processed: false,
        type,
        created: Date.now(),
        data: {
          order: "nwpWv1JXQrWNLW7UMVXKiA",
          reference: reference ?? id,
          total: amount / 100,
          currency: "EUR",
          completed: true,
          account: user,
          tags: { user_id: user },
        },
      },
    ],
  },
  headers: { "content-type": "application/json; charset=UTF-8" },
});
