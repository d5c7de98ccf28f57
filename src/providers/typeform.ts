/** Typeform: https://www.typeform.com/developers/webhooks/secure-your-webhooks/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The signature looks like GitHub's, but it is base64. */
export function typeform<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "typeform",
      title: "Typeform",
      docs: "https://www.typeform.com/developers/webhooks/secure-your-webhooks/",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("typeform-signature")], form: "plain", prefix: "sha256=", encoding: "base64" },
        message: ["body"],
        timestamp: null,
      },
      id: [json("event_id")],
      type: [json("event_type")],
      occurredAt: { from: json("form_response.submitted_at"), unit: "iso" },
      hint: "the secret of the form's webhook (Connect, Webhooks, Edit) must be the text in {secret}; without one Typeform does not sign",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: 30,
        unverified: ["A retry carries the same event_id.", "Typeform waits 30 s."],
      },
    },
    options,
  );
}

export const typeformSample: MakeSample = (type = "form_response", { id, user, amount, reference }) => ({
  type,
  body: {
    event_id: id,
    event_type: type,
    form_response: {
      form_id: "lT4Z3j",
      token: reference ?? id,
      landed_at: "2026-01-01T00:00:00Z",
      submitted_at: new Date().toISOString(),
      hidden: { user_id: user },
      calculated: { score: amount },
      answers: [{ type: "text", text: "It's cold right now!", field: { id: "DlXFaesGBpoF", type: "long_text" } }],
    },
  },
  headers: { "content-type": "application/json", "user-agent": "Typeform Webhooks" },
});
