/** Standard Webhooks, v1: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
import type { Provider } from "./provider.ts";
import { header, json } from "./readers.ts";

export function standard<Data = unknown>(): Provider<Data> {
  return {
    name: "standard",
    docs: "https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md",
    scheme: {
      kind: "hmac",
      hash: "SHA-256",
      key: "whsec",
      signature: { form: "tagged", header: "webhook-signature", encoding: "base64", tag: "v1" },
      message: [{ id: "webhook-id" }, { literal: "." }, "timestamp", { literal: "." }, "body"],
      timestamp: { at: { header: "webhook-timestamp" }, unit: "s" },
    },
    id: [header("webhook-id")],
    type: [json("type")],
    occurredAt: { from: json("timestamp"), unit: "iso" },
    handshakes: [],
    acknowledgement: null,
    hint: "{secret} is the endpoint's signing secret, whsec_ and base64, copied whole",
  };
}
