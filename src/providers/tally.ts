/** Tally: https://tally.so/help/webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function tally<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "tally",
      title: "Tally",
      docs: "https://tally.so/help/webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("tally-signature")], form: "plain", prefix: "", encoding: "base64" },
        message: ["body"],
        timestamp: null,
      },
      id: [json("eventId")],
      type: [json("eventType")],
      occurredAt: { from: json("createdAt"), unit: "iso" },
      hint: "the signing secret of the form's webhook must be the text in {secret}; without one Tally does not sign",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: 10,
        unverified: [
          "The signature is base64: the page was read as far as the header's name and SHA-256, the encoding in receivers of others.",
          "A retry carries the same eventId.",
        ],
      },
    },
    options,
  );
}

export const tallySample: MakeSample = (type = "FORM_RESPONSE", { id, user, amount, reference }) => ({
  type,
  body: {
    eventId: id,
    eventType: type,
    createdAt: "2026-01-01T00:00:00.000Z",
    data: {
      responseId: reference ?? id,
      submissionId: reference ?? id,
      respondentId: user,
      formId: "VwbNEw",
      formName: "Webhook",
      createdAt: "2026-01-01T00:00:00.000Z",
      fields: [{ key: "question_3EKz4n", label: "Text", type: "INPUT_TEXT", value: String(amount) }],
    },
  },
  headers: { "content-type": "application/json" },
});
