/** Cloudflare Stream: https://developers.cloudflare.com/stream/manage-video-library/using-webhooks/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compound, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Videos on demand: one notification when a video is ready or has failed. Live inputs notify through Cloudflare's Notifications, unsigned. */
export function cloudflareStream<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "cloudflare-stream",
      title: "Cloudflare Stream",
      docs: "https://developers.cloudflare.com/stream/manage-video-library/using-webhooks/",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8", // It looks like hex and is not decoded.
        signature: { at: [header("webhook-signature")], form: "pairs", signatureKey: "sig1", timestampKey: "time", encoding: "hex" },
        message: ["timestamp", { literal: "." }, "body"],
        timestamp: { at: "signature", unit: "s" },
      },
      // A video reaches each of its two ends once.
      id: [compound(json("uid"), json("status.state"))],
      type: [json("status.state")],
      occurredAt: { from: json("modified"), unit: "iso" },
      hint: "{secret} is the `secret` in the API's answer when the webhook was set (PUT or GET .../stream/webhook); a signature older than 300 s is refused: maxAgeSeconds widens that",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["That a video is ready only once, and whether Stream retries at all.", "Whether a retry is signed anew."],
      },
    },
    options,
  );
}

export const cloudflareStreamSample: MakeSample = (type = "ready", { id, user, amount, reference }) => ({
  type,
  body: {
    uid: id,
    creator: user,
    readyToStream: type === "ready",
    status: { state: type, pctComplete: "100.000000", errorReasonCode: "", errorReasonText: "" },
    meta: { filename: `${reference ?? id}.mp4`, filetype: "video/mp4", name: `${reference ?? id}.mp4` },
    created: "2026-01-01T00:00:00.512033Z",
    modified: "2026-01-01T00:00:09.774299Z",
    size: amount,
    duration: 5.5,
    input: { width: 560, height: 320 },
  },
  headers: { "content-type": "application/json" },
});
