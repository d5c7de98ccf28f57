/** Mux: https://www.mux.com/docs/core/verify-webhook-signatures */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** `attempts` in the body grows with each attempt, so its bytes differ; the id is the event's. */
export function mux<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "mux",
      title: "Mux",
      docs: "https://www.mux.com/docs/core/verify-webhook-signatures",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("mux-signature")], form: "pairs", signatureKey: "v1", timestampKey: "t", encoding: "hex" },
        message: ["timestamp", { literal: "." }, "body"],
        timestamp: { at: "signature", unit: "s" },
      },
      id: [json("id")],
      type: [json("type")],
      occurredAt: { from: json("created_at"), unit: "iso" },
      hint: "each webhook has a signing secret of its own, in the environment that it was made in: {secret} is that, not the token's secret",
      facts: { proof: "package", checked: "2026-11-30", sameIdOnRetry: true, ackSeconds: null, unverified: ["A retry is signed with a new time."] },
    },
    options,
  );
}

export const muxSample: MakeSample = (type = "video.asset.ready", { id, user, amount, reference }) => ({
  type,
  body: {
    type,
    object: { type: "asset", id: reference ?? id },
    id,
    environment: { name: "Production", id: "j0863n" },
    data: {
      id: reference ?? id,
      status: "ready",
      duration: amount,
      passthrough: user,
      playback_ids: [{ policy: "public", id: "uNbxnGLKJ00yfbijDO8COxTOyVKT01xpxW" }],
    },
    created_at: "2026-01-01T00:00:00.000000Z",
    accessor_source: null,
    accessor: null,
    request_id: null,
    attempts: [],
  },
  headers: { "content-type": "application/json", "user-agent": "Mux/1.0" },
});
