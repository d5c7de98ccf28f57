/** Checkr: https://docs.checkr.com/apis/webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function checkr<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "checkr",
      title: "Checkr",
      docs: "https://docs.checkr.com/apis/webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-checkr-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [json("id")], // The event's; data.object.id is the report's.
      type: [json("type")],
      occurredAt: { from: json("created_at"), unit: "iso" },
      hint: "{secret} is the secret API key of the account (test and live have different ones), or the partner application's client secret: Checkr has no key for webhooks alone",
      facts: {
        proof: "vector",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "Which key signs (the API key, and a partner application's client secret): Checkr's own examples say only `secret`, public receivers use these.",
          "That a retry repeats the event's id.",
        ],
      },
    },
    options,
  );
}

/** https://docs.checkr.com/apis/webhooks, "Webhook payload structure" */
export const checkrSample: MakeSample = (type = "report.completed", { id, user, amount, reference }) => ({
  type,
  body: {
    id,
    object: "event",
    type,
    created_at: "2026-01-01T00:00:00Z",
    webhook_url: "https://hooks.example/webhooks/checkr",
    data: {
      object: {
        id: `report_${reference ?? id}`,
        object: "report",
        uri: `/v1/reports/report_${reference ?? id}`,
        status: "clear",
        candidate_id: user,
        turnaround_time: amount,
      },
    },
  },
  headers: { "content-type": "application/json", "user-agent": "Checkr-Webhook/1.0" },
});
