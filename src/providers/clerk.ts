/** Clerk: https://clerk.com/docs/guides/development/webhooks/overview */
import { standardWebhooks } from "../schemes/standard-webhooks.ts";
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Clerk sends through Svix. `data.id` is the user or the organization, never the event: that is the message's id. */
export function clerk<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "clerk",
      title: "Clerk",
      docs: "https://clerk.com/docs/guides/development/webhooks/overview",
      scheme: standardWebhooks("svix"),
      id: [header("svix-id")],
      type: [json("type")],
      occurredAt: { from: json("timestamp"), unit: "ms" },
      hint: "{secret} is the signing secret of this endpoint on Clerk's Webhooks page; the development and the production instance have different ones",
      facts: { proof: "package", checked: "2026-11-30", sameIdOnRetry: true, ackSeconds: 15, unverified: [] },
    },
    options,
  );
}

export const clerkSample: MakeSample = (type = "user.created", { id, user, amount, reference }) => {
  const timestamp = Date.now();
  const email = { id: `idn_${user}`, object: "email_address", email_address: "example@example.org", linked_to: [] };
  return {
    type,
    body: {
      data: {
        id: user,
        object: "user",
        external_id: reference ?? id,
        first_name: "Example",
        last_name: "Example",
        email_addresses: [email],
        primary_email_address_id: email.id,
        public_metadata: { amount },
        created_at: timestamp,
        updated_at: timestamp,
      },
      instance_id: "ins_123",
      object: "event",
      timestamp,
      type,
    },
    headers: { "content-type": "application/json", "user-agent": "Svix-Webhooks/1.0" },
  };
};
