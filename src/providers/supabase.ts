/** Supabase Auth hooks: https://supabase.com/docs/guides/auth/auth-hooks */
import { standardWebhooks } from "../schemes/standard-webhooks.ts";
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, firstField, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/**
 * For the hooks that want no decision: Send Email, Send SMS, Before User Created. Supabase Auth waits for the answer, and `{}` lets it proceed;
 * Custom Access Token needs claims back and cannot be queued. The type of a hook without a name is its field: `email_data`, `sms`.
 */
export function supabase<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "supabase",
      title: "Supabase Auth hooks",
      docs: "https://supabase.com/docs/guides/auth/auth-hooks",
      scheme: standardWebhooks("webhook"),
      // Each attempt gets a new webhook-id, so that is no id of the event; the payload is the same.
      id: [json("metadata.uuid"), digest()],
      type: [json("metadata.name"), firstField("", "user", "user_id", "metadata")],
      occurredAt: { from: json("metadata.time"), unit: "iso" },
      // Refused if it is not JSON.
      acknowledgement: { status: 200, body: "{}", contentType: "application/json" },
      hint: "{secret} is the hook's secret, v1,whsec_ and base64: leading v1, and whsec_ may stay, but a | between two secrets may not (use {secret}_NEXT)",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: 5,
        unverified: ["Which hooks send metadata.uuid: without it the id is the body's digest."],
      },
    },
    options,
  );
}

/** Its id and timestamp headers come with the signature. */
export const supabaseSample: MakeSample = (type = "before-user-created", { id, user, amount, reference }) => ({
  type,
  body: {
    metadata: { uuid: id, time: new Date().toISOString(), name: type, ip_address: "127.0.0.1" },
    user: {
      id: user,
      aud: "authenticated",
      role: "",
      email: "valid.email@supabase.com",
      app_metadata: { provider: "email" },
      user_metadata: { amount, reference },
    },
  },
  headers: { "content-type": "application/json", "accept-encoding": "identity" },
});
