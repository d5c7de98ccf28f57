/** Zoom: https://developers.zoom.us/docs/api/webhooks/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function zoom<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "zoom",
      title: "Zoom",
      docs: "https://developers.zoom.us/docs/api/webhooks/",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-zm-signature")], form: "plain", prefix: "v0=", encoding: "hex" },
        message: [{ literal: "v0:" }, "timestamp", { literal: ":" }, "body"],
        timestamp: { at: header("x-zm-request-timestamp"), unit: "s" },
      },
      // There is no event id, and no few fields that name an event of every kind; `event_ts` in the body is in milliseconds.
      id: [digest()],
      type: [json("event")],
      occurredAt: { from: json("event_ts"), unit: "ms" },
      // Retries come 5, 25 and 85 minutes after the first, perhaps with its signature.
      maxAgeSeconds: 5_700,
      // 200 or 204 within 3 seconds.
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      // Asked when the URL is saved, and every 72 hours from then on.
      handshakes: [
        {
          kind: "post_hmac",
          when: [{ at: json("event"), is: "endpoint.url_validation" }],
          challenge: json("payload.plainToken"),
          proof: { hash: "SHA-256", key: "utf8", encoding: "hex", prefix: "", pattern: "[A-Za-z0-9_-]{8,128}" },
          as: { proof: "encryptedToken", challenge: "plainToken" },
          signed: true,
        },
      ],
      hint: "{secret} is the Secret Token on the app's Feature page, not the client secret or the old verification token",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: 3,
        unverified: [
          "That a retry has the same body, and so the same id.",
          "Whether a retry is signed anew: the window is as long as the retries.",
          "That plainToken has only letters, digits, - and _: so it is in Zoom's examples.",
        ],
      },
    },
    options,
  );
}

/** https://developers.zoom.us/docs/api/meetings/events/#tag/meeting/POSTmeeting.started */
export const zoomSample: MakeSample = (type = "meeting.started", { id, user, amount, reference }) => ({
  type,
  body: {
    event: type,
    event_ts: Date.now(),
    payload: {
      account_id: "AAAAAABBBB",
      object: {
        id: String(amount),
        uuid: id,
        host_id: user,
        topic: reference ?? id,
        type: 2,
        start_time: "2026-01-01T00:00:00Z",
        duration: 60,
        timezone: "UTC",
      },
    },
  },
  headers: { "content-type": "application/json; charset=utf-8", "user-agent": "Zoom Marketplace/1.0a" },
});
