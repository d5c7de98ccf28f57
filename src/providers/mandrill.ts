/** Mailchimp Transactional (Mandrill): https://mailchimp.com/developer/transactional/guides/track-respond-activity-webhooks/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compound, form, hashed, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** A delivery is a batch, the JSON array in the form's field `mandrill_events`, and one event here: the handler goes through it. Its type is the first one's. */
export function mandrill<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "mandrill",
      title: "Mailchimp Transactional",
      docs: "https://mailchimp.com/developer/transactional/guides/track-respond-activity-webhooks/",
      scheme: {
        kind: "hmac",
        hash: "SHA-1",
        key: "utf8",
        signature: { at: [header("x-mandrill-signature")], form: "plain", prefix: "", encoding: "base64" },
        message: ["url", "sorted_form"],
        timestamp: null,
      },
      // Not the bytes: the signature covers the fields, in whatever encoding they come.
      id: [hashed(compound(form("mandrill_events")))],
      type: [json("0.event", form("mandrill_events"))],
      hint: "{secret} is the Key in the webhook's row at Mandrill, and PUBLIC_BASE_URL must be exactly what was entered there, to the last slash; the first test is signed with `test-webhook`",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "That a retry has the same batch, and so the same id.",
          "That the test of a new webhook, an empty batch, is signed with `test-webhook`.",
          "That the HEAD request before it is answered with 2xx.",
        ],
      },
    },
    options,
  );
}

/** https://mailchimp.com/developer/transactional/docs/webhooks/ */
export const mandrillSample: MakeSample = (type = "send", { id, user, amount, reference }) => ({
  type,
  body: null,
  form: {
    mandrill_events: JSON.stringify([
      {
        event: type,
        _id: id,
        ts: 1_767_225_600,
        msg: {
          _id: id,
          ts: 1_767_225_600,
          email: `${user}@example.com`,
          subject: "Your receipt",
          state: "sent",
          metadata: { order_id: reference ?? id, amount },
        },
      },
    ]),
  },
  headers: { "content-type": "application/x-www-form-urlencoded", "user-agent": "Mandrill-Webhook/1.0" },
});
