/** WorkOS: https://workos.com/docs/events/data-syncing/webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Stripe's form, but the time is in milliseconds, and a space follows the comma. */
export function workos<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "workos",
      title: "WorkOS",
      docs: "https://workos.com/docs/events/data-syncing/webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("workos-signature")], form: "pairs", signatureKey: "v1", timestampKey: "t", encoding: "hex" },
        message: ["timestamp", { literal: "." }, "body"],
        timestamp: { at: "signature", unit: "ms" },
      },
      id: [json("id")],
      type: [json("event")],
      occurredAt: { from: json("created_at"), unit: "iso" },
      maxAgeSeconds: 180,
      hint: "{secret} is the signing secret of this webhook endpoint in the WorkOS dashboard, of the same environment; it is not the API key (sk_...)",
      facts: {
        proof: "vector",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["A retry carries the same id, and a signature made anew."],
      },
    },
    options,
  );
}

export const workosSample: MakeSample = (type = "user.created", { id, user, amount, reference }) => ({
  type,
  body: {
    id,
    event: type,
    data: {
      object: "user",
      id: user,
      email: "todd@example.com",
      first_name: "Todd",
      external_id: reference ?? id,
      metadata: { amount: String(amount) },
      created_at: "2026-01-01T00:00:00.000Z",
    },
    created_at: "2026-01-01T00:00:00.000Z",
  },
  headers: { "content-type": "application/json; charset=utf-8" },
});
