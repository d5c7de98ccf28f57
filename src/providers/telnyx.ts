/** Telnyx: https://developers.telnyx.com/development/api-fundamentals/webhooks/receiving-webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** API v2. Signed with Ed25519: what is configured is Telnyx's public key for the account, which is no secret. */
export function telnyx<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "telnyx",
      title: "Telnyx",
      docs: "https://developers.telnyx.com/development/api-fundamentals/webhooks/receiving-webhooks",
      scheme: {
        kind: "ed25519",
        key: "base64",
        signature: { at: [header("telnyx-signature-ed25519")], form: "plain", prefix: "", encoding: "base64" },
        message: ["timestamp", { literal: "|" }, "body"],
        timestamp: { at: header("telnyx-timestamp"), unit: "s" },
      },
      id: [json("data.id")],
      type: [json("data.event_type")],
      occurredAt: { from: json("data.occurred_at"), unit: "iso" },
      hint: "{secret} is the public key from the Telnyx portal (Keys & Credentials, Public Key), base64 of 32 bytes; it is not an API key (KEY...)",
      facts: {
        proof: "package",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["A retry carries the same data.id (meta.attempt counts it)."],
      },
    },
    options,
  );
}

export const telnyxSample: MakeSample = (type = "message.received", { id, user, amount, reference }) => ({
  type,
  body: {
    data: {
      event_type: type,
      id,
      occurred_at: "2026-01-01T00:00:00.000+00:00",
      payload: {
        direction: "inbound",
        id: reference ?? id,
        from: { phone_number: "+13125550001", carrier: "", line_type: "" },
        to: [{ phone_number: "+17735550002", status: "webhook_delivered" }],
        text: `Hello from ${user}`,
        parts: amount,
        record_type: "message",
        type: "SMS",
      },
      record_type: "event",
    },
    meta: { attempt: 1, delivered_to: "https://hooks.example/webhooks/telnyx" },
  },
  headers: { "content-type": "application/json", "user-agent": "telnyx-webhooks" },
});
