/** Zendesk: https://developer.zendesk.com/documentation/webhooks/verifying/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Webhooks of events, triggers and automations. The body of the latter two is whatever was typed into them: put a `type` there. */
export function zendesk<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "zendesk",
      title: "Zendesk",
      docs: "https://developer.zendesk.com/documentation/webhooks/verifying/",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8", // The signing secret looks like base64 and is not decoded.
        signature: { at: [header("x-zendesk-webhook-signature")], form: "plain", prefix: "", encoding: "base64" },
        message: ["timestamp", "body"],
        timestamp: { at: header("x-zendesk-webhook-signature-timestamp"), unit: "iso" },
      },
      // An invocation has attempts. The `id` in the body is only there for events.
      id: [header("x-zendesk-webhook-invocation-id")],
      type: [json("type")],
      occurredAt: { from: json("time"), unit: "iso" },
      honoursRetryAfter: true,
      hint: "{secret} is this webhook's own signing secret (Reveal secret on its page); the test that runs before a webhook is saved is signed with a fixed one of Zendesk's; a signature older than 300 s is refused: maxAgeSeconds widens that",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: null,
        unverified: [
          "That a retry repeats x-zendesk-webhook-invocation-id: the API lists a retry as another attempt of one invocation.",
          "Whether a retry is signed anew.",
        ],
      },
    },
    options,
  );
}

/** https://developer.zendesk.com/api-reference/webhooks/event-types/ticket-events/ */
export const zendeskSample: MakeSample = (type = "zen:event-type:ticket.created", { id, user, amount, reference }) => ({
  type,
  body: {
    account_id: 22_129_848,
    id: "2b24ef10-19a3-4740-93ac-98f7ebc72c3f",
    type,
    subject: `zen:ticket:${amount}`,
    time: "2026-01-01T00:00:00Z",
    zendesk_event_version: "2022-11-06",
    event: {},
    detail: { id: String(amount), external_id: reference ?? id, requester_id: user, status: "NEW", subject: "Help" },
  },
  headers: {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Zendesk Webhook",
    "x-zendesk-account-id": "22129848",
    "x-zendesk-webhook-id": "01F1KRFQ6BG29CNWFR60NK5FNY",
    "x-zendesk-webhook-invocation-id": id,
  },
});
