/** Paystack: https://paystack.com/docs/payments/webhooks/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function paystack<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "paystack",
      title: "Paystack",
      docs: "https://paystack.com/docs/payments/webhooks/",
      scheme: {
        kind: "hmac",
        hash: "SHA-512",
        key: "utf8",
        signature: { at: [header("x-paystack-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      // data.id is the object's: reminders and updates of one object share it, and some events have none.
      id: [digest()],
      type: [json("event")],
      // Anything but 200 is retried.
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the secret API key (sk_live_ or sk_test_), since Paystack has no separate key for webhooks; test events are signed with the test key",
      facts: {
        proof: "documentation",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "The page itself could not be read; the signature is the one in Paystack's own snippets for it (github.com/PaystackOSS/doc-code-snippets, February 2026).",
          "A later copy of those snippets reads `t=<seconds>,v1=<key id>:<hex>` over `<t>.<body>`, from a header that could not be read: not accepted here.",
          "That a retry carries the same bytes, which is what the id is made of.",
        ],
      },
    },
    options,
  );
}

/** https://paystack.com/docs/payments/webhooks/#supported-events */
export const paystackSample: MakeSample = (type = "charge.success", { id, user, amount, reference }) => ({
  type,
  body: {
    event: type,
    data: {
      id: 302_961,
      domain: "test",
      status: "success",
      reference: reference ?? id,
      amount,
      currency: "NGN",
      channel: "card",
      paid_at: "2026-01-01T00:00:00.000Z",
      metadata: { user_id: user, event_reference: id },
      customer: { id: 68_324, email: `${user}@example.com`, customer_code: "CUS_qo38as2hpsgk2r0" },
    },
  },
  headers: { "content-type": "application/json" },
});
