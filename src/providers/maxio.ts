/** Maxio Advanced Billing (Chargify): https://app.unpkg.com/@maxio-com/advanced-billing-sdk@8.0.0/files/src/models/webhook.ts */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, form, header } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The event is a form with fields such as `payload[subscription][id]`. */
export function maxio<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "maxio",
      title: "Maxio Advanced Billing (Chargify)",
      docs: "https://app.unpkg.com/@maxio-com/advanced-billing-sdk@8.0.0/files/src/models/webhook.ts",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        // Beside it stands an MD5 of key and body, which this does not read.
        signature: { at: [header("x-chargify-webhook-signature-hmac-sha-256")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      // "Not changed on a retry/replay"; the header X-Chargify-Webhook-Id says the same, and is not signed.
      id: [form("id"), digest()],
      type: [form("event")],
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the site's shared key (Settings of the site), not an API key",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: null,
        unverified: [
          "The header, and that the site's shared key signs the body: from public receivers, which agree; Maxio's own package says only that there is such a signature.",
          "That the id stands in the form's field `id`, and that anything but 200 is sent again.",
        ],
      },
    },
    options,
  );
}

export const maxioSample: MakeSample = (type = "payment_success", { id, user, amount, reference }) => ({
  type,
  body: null,
  form: {
    id,
    event: type,
    "payload[site][subdomain]": "sample",
    "payload[subscription][id]": "15100141",
    "payload[subscription][customer][reference]": user,
    "payload[transaction][id]": reference ?? id,
    "payload[transaction][amount_in_cents]": String(amount),
    "payload[transaction][success]": "true",
  },
  headers: { "content-type": "application/x-www-form-urlencoded" },
});
