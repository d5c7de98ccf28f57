/** Calendly: https://developer.calendly.com/docs/webhooks/overview */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compound, digest, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Calendly sends no id: the event, what it is about and when it was made name it together. An answer of 410 would delete the subscription. */
export function calendly<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "calendly",
      title: "Calendly",
      docs: "https://developer.calendly.com/docs/webhooks/overview",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [{ header: "calendly-webhook-signature" }], form: "pairs", signatureKey: "v1", timestampKey: "t", encoding: "hex" },
        message: ["timestamp", { literal: "." }, "body"],
        timestamp: { at: "signature", unit: "s" },
      },
      id: [compound(json("event"), json("payload.uri"), json("created_at")), digest()],
      type: [json("event")],
      occurredAt: { from: json("created_at"), unit: "iso" },
      hint: "{secret} is the signing_key that was given when the subscription was created; Calendly never shows it again",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: 15,
        unverified: ["A retry carries the same created_at, and a signature made anew."],
      },
    },
    options,
  );
}

export const calendlySample: MakeSample = (type = "invitee.created", { id, user, amount, reference }) => ({
  type,
  body: {
    event: type,
    created_at: "2026-01-01T00:00:00.000000Z",
    created_by: "https://api.calendly.com/users/AAAAAAAAAAAAAAAA",
    payload: {
      uri: `https://api.calendly.com/scheduled_events/GBGBDCAADAEDCRZ2/invitees/${id}`,
      email: "test@example.com",
      name: "John Doe",
      status: "active",
      questions_and_answers: [],
      tracking: { utm_source: user, utm_content: reference ?? id },
      payment: { external_id: `ch_${id}`, provider: "stripe", amount, currency: "EUR", successful: true },
    },
  },
  headers: { "content-type": "application/json", "user-agent": "Calendly" },
});
