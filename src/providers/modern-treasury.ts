/** Modern Treasury: https://docs.moderntreasury.com/platform/reference/webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function modernTreasury<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "modern-treasury",
      title: "Modern Treasury",
      docs: "https://docs.moderntreasury.com/platform/reference/webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [header("x-webhook-id")], // Documented for exactly this; data.id in the body is the object's.
      type: [joined(header("x-topic"), json("event")), joined(json("data.object"), json("event"))],
      hint: "{secret} is the webhook key in the developer settings, not an API key",
      facts: {
        proof: "package",
        checked: "2026-11-29",
        sameIdOnRetry: true,
        ackSeconds: 5,
        unverified: ["The header X-Topic; where it is absent the type begins with the object's kind."],
      },
    },
    options,
  );
}

/** https://docs.moderntreasury.com/platform/reference/webhooks */
export const modernTreasurySample: MakeSample = (type = "payment_order.completed", { id, user, amount, reference }) => {
  const [topic = "payment_order", event = "completed"] = type.split(".");
  return {
    type,
    body: {
      event,
      data: {
        id: "f5a8f3d0-7a0b-4c0e-9e0b-1d6a9c3b2f11",
        object: topic,
        live_mode: false,
        amount,
        currency: "USD",
        status: "completed",
        metadata: { user_id: user, order_id: reference ?? id },
      },
    },
    headers: { "content-type": "application/json", "x-topic": topic, "x-webhook-id": id },
  };
};
