/** Pusher Channels: https://pusher.com/docs/channels/server_api/webhooks/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json, literal } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface PusherOptions extends SourceOptions {
  /** Whether "batch webhooks" are on in the app's settings. `events` then holds several of them, and the delivery's type is `batch`. */
  readonly batch?: boolean;
}

export function pusher<Data = unknown>({ batch = false, ...options }: PusherOptions = {}): Provider<Data> {
  return preset(
    {
      name: "pusher",
      title: "Pusher Channels",
      docs: "https://pusher.com/docs/channels/server_api/webhooks/",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8", // It looks like hex and is not decoded.
        signature: { at: [header("x-pusher-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      // Not split: events have no id, and only the delivery has a time. Without it, a channel that is vacated twice would be vacated once.
      id: [digest()],
      type: batch ? [literal("batch")] : [json("events.0.name")],
      occurredAt: { from: json("time_ms"), unit: "ms" },
      hint: "{secret} is the secret that belongs to the key in x-pusher-key: of several keys of an app, Pusher signs with the oldest active one",
      facts: {
        proof: "vector",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["That a retry, within its 5 minutes, has the same body, and so the same id."],
      },
    },
    options,
  );
}

export const pusherSample: MakeSample = (type = "member_added", { id, user, amount, reference }) => ({
  type,
  body: { time_ms: Date.now(), events: [{ name: type, channel: `presence-${reference ?? id}-${amount}`, user_id: user }] },
  headers: { "content-type": "application/json", "user-agent": "pusher-webhooks", "x-pusher-key": "278d425bdf160c739803" },
});
