/** Resend: https://resend.com/docs/webhooks/retries-and-replays */
import { standardWebhooks } from "../schemes/standard-webhooks.ts";
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Resend sends through Svix. One email gives many events: `data.email_id` is the email's, the message's id the event's. */
export function resend<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "resend",
      title: "Resend",
      docs: "https://resend.com/docs/webhooks/retries-and-replays",
      scheme: standardWebhooks("svix"),
      id: [header("svix-id")],
      type: [json("type")],
      occurredAt: { from: json("created_at"), unit: "iso" },
      hint: "{secret} is the signing secret of this webhook on Resend, whsec_ and base64; it is not an API key (re_...)",
      facts: {
        proof: "package",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: 15,
        unverified: ["The answer is awaited for 15 s, as Svix documents it: Resend's own pages name no time."],
      },
    },
    options,
  );
}

export const resendSample: MakeSample = (type = "email.delivered", { id, user, amount, reference }) => ({
  type,
  body: {
    type,
    created_at: new Date().toISOString(),
    data: {
      email_id: reference ?? id,
      created_at: "2026-01-01T00:00:00.000Z",
      from: "Acme <onboarding@resend.dev>",
      to: ["delivered@resend.dev"],
      subject: `Your receipt over ${amount}`,
      tags: { user_id: user },
    },
  },
  headers: { "content-type": "application/json", "user-agent": "Svix-Webhooks/1.0" },
});
