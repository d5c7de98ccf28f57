/** EasyPost: https://easypost.com/webhooks-guide.html */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface EasypostOptions extends SourceOptions {
  /** Run only events of this mode. */
  readonly mode?: "live" | "test";
}

export function easypost<Data = unknown>({ mode, ...options }: EasypostOptions = {}): Provider<Data> {
  return preset(
    {
      name: "easypost",
      title: "EasyPost",
      docs: "https://easypost.com/webhooks-guide.html",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "nfkd",
        signature: { at: [header("x-hmac-signature")], form: "plain", prefix: "hmac-sha256-hex=", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [json("id")], // One event may be sent several times, each time as another payload.
      type: [json("description")],
      occurredAt: { from: json("created_at"), unit: "iso" },
      only: mode === undefined ? [] : [{ at: json("mode"), is: mode === "live" ? "production" : "test" }],
      hint: "{secret} is the webhook_secret that you gave when you created the webhook; without one EasyPost signs nothing",
      facts: {
        proof: "vector",
        checked: "2026-11-29",
        sameIdOnRetry: true,
        ackSeconds: 7,
        unverified: [
          "The seven seconds for the answer.",
          "EasyPost is said to send X-Hmac-Signature-V2 too, over time, path and body; its own library does not read it, nor does this.",
        ],
      },
    },
    options,
  );
}

/** https://docs.easypost.com/docs/events */
export const easypostSample: MakeSample = (type = "tracker.updated", { id, user, amount, reference }) => {
  const now = new Date().toISOString();
  return {
    type,
    body: {
      id,
      object: "Event",
      mode: "test",
      description: type,
      created_at: now,
      updated_at: now,
      status: "pending",
      result: {
        id: "trk_c8e0edb5bb284caa934a0d3db23a148z",
        object: "Tracker",
        tracking_code: reference ?? id,
        status: "delivered",
        signed_by: user,
        weight: amount,
      },
    },
    headers: { "content-type": "application/json", "user-agent": "EasyPost Webhook" },
  };
};
