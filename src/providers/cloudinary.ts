/** Cloudinary: https://cloudinary.com/documentation/notification_signatures */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface CloudinaryOptions extends SourceOptions {
  /** SHA-1 unless Cloudinary has limited your account to SHA-256. */
  readonly algorithm?: "SHA-1" | "SHA-256";
}

export function cloudinary<Data = unknown>({ algorithm = "SHA-1", ...options }: CloudinaryOptions = {}): Provider<Data> {
  return preset(
    {
      name: "cloudinary",
      title: "Cloudinary",
      docs: "https://cloudinary.com/documentation/notification_signatures",
      scheme: {
        kind: "hash",
        hash: algorithm,
        signature: { at: [header("x-cld-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body", "timestamp", "secret"],
        timestamp: { at: header("x-cld-timestamp"), unit: "s" },
      },
      // What Cloudinary's own libraries take.
      maxAgeSeconds: 7_200,
      id: [digest()],
      type: [json("notification_type")],
      occurredAt: { from: json("timestamp"), unit: "iso" },
      hint: "{secret} is the API secret of the key that signs notifications (the oldest active one, unless you chose another), not the key itself",
      facts: {
        proof: "vector",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["That a notification has no id, and that a retry has the same body.", "Which of several API keys signs."],
      },
    },
    options,
  );
}

export const cloudinarySample: MakeSample = (type = "upload", { id, user, amount, reference }) => ({
  type,
  body: {
    notification_type: type,
    timestamp: "2026-01-01T00:00:00+00:00",
    request_id: id,
    asset_id: "8a2bd2c9a1b0e1f5a4e6b7c8d9e0f1a2",
    public_id: reference ?? id,
    version: 1_767_225_600,
    width: amount,
    height: 600,
    format: "jpg",
    resource_type: "image",
    bytes: 120_253,
    context: { custom: { user } },
  },
  headers: { "content-type": "application/json", "user-agent": "Cloudinary" },
});
