/** ElevenLabs: https://elevenlabs.io/docs/overview/administration/webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compound, digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Post-call webhooks. No id is sent: a conversation gives one event of each type. Those with audio are large, and may be above the body's limit. */
export function elevenlabs<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "elevenlabs",
      title: "ElevenLabs",
      docs: "https://elevenlabs.io/docs/overview/administration/webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("elevenlabs-signature")], form: "pairs", signatureKey: "v0", timestampKey: "t", encoding: "hex" },
        message: ["timestamp", { literal: "." }, "body"],
        timestamp: { at: "signature", unit: "s" },
      },
      id: [compound(json("type"), json("data.conversation_id")), digest()],
      type: [json("type")],
      occurredAt: { from: json("event_timestamp"), unit: "s" },
      maxAgeSeconds: 1_800,
      hint: "{secret} is the webhook's shared secret (wsec_...), shown once when it is created; it is not the API key (sk_...)",
      facts: {
        proof: "package",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["Whether ElevenLabs tries again.", "The fields of the body: the package does not type them."],
      },
    },
    options,
  );
}

export const elevenlabsSample: MakeSample = (type = "post_call_transcription", { id, user, amount, reference }) => ({
  type,
  body: {
    type,
    event_timestamp: 1_767_225_600,
    data: {
      agent_id: "agent_example",
      conversation_id: id,
      status: "done",
      user_id: user,
      transcript: [{ role: "agent", message: "Hey there, how can I help you?", time_in_call_secs: 0 }],
      metadata: { start_time_unix_secs: 1_767_225_500, call_duration_secs: 22, cost: amount },
      conversation_initiation_client_data: { dynamic_variables: { reference: reference ?? id } },
    },
  },
  headers: { "content-type": "application/json" },
});
