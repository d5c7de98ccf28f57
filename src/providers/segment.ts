/** Segment: https://www.twilio.com/docs/segment/connections/destinations/catalog/actions-webhook */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The Webhooks destinations, with batching off: of a batch, Segment signs only the first event. */
export function segment<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "segment",
      title: "Segment",
      docs: "https://www.twilio.com/docs/segment/connections/destinations/catalog/actions-webhook",
      scheme: {
        kind: "hmac",
        hash: "SHA-1",
        key: "utf8",
        signature: { at: [header("x-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [json("messageId")],
      type: [json("type")],
      occurredAt: { from: json("timestamp"), unit: "iso" },
      hint: "{secret} is the Shared Secret of the destination's settings: without one Segment signs nothing, and batching must be off in its mappings",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "That a retry repeats messageId, and that your mapping keeps it in what is sent.",
          "That Segment signs the bytes that it sends: its page signs the JSON that it makes of the parsed body.",
        ],
      },
    },
    options,
  );
}

/** https://www.twilio.com/docs/segment/connections/spec/track */
export const segmentSample: MakeSample = (type = "track", { id, user, amount, reference }) => ({
  type,
  body: {
    version: 1,
    type,
    messageId: id,
    userId: user,
    event: "Order Completed",
    properties: { order_id: reference ?? id, revenue: amount / 100, currency: "EUR" },
    context: { library: { name: "analytics.js", version: "2.11.1" } },
    timestamp: "2026-01-01T00:00:00.276Z",
    receivedAt: "2026-01-01T00:00:00.300Z",
  },
  headers: { "content-type": "application/json", "user-agent": "Segment.io/1.0" },
});
