/** Sanity: https://www.sanity.io/docs/webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The body is the webhook's projection, so it holds what its author chose. The type is the document's and the operation, `post.create`, if `_type` is in it. */
export function sanity<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "sanity",
      title: "Sanity",
      docs: "https://www.sanity.io/docs/webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("sanity-webhook-signature")], form: "pairs", signatureKey: "v1", timestampKey: "t", encoding: "base64url" },
        message: ["timestamp", { literal: "." }, "body"],
        timestamp: { at: "signature", unit: "ms" },
      },
      id: [header("idempotency-key"), digest()],
      type: [joined(json("_type"), header("sanity-operation")), header("sanity-operation")],
      hint: "the Secret field of the webhook on Sanity must be the text in {secret}; without one it is not signed",
      facts: {
        proof: "vector",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: 30,
        unverified: [
          "A retry carries the same idempotency-key.",
          "Sanity waits 30 s; after a 429 or a 5xx it tries twice more, 30 s apart, and then gives the event up.",
          "The header sanity-operation is create, update or delete.",
        ],
      },
    },
    options,
  );
}

export const sanitySample: MakeSample = (type = "post.create", { id, user, amount, reference }) => {
  const [document, operation = "create"] = type.split(".");
  return {
    type,
    body: { _id: reference ?? id, _type: document, _rev: `rev-${id}`, title: `sample ${id}`, author: { _ref: user }, views: amount },
    headers: {
      "content-type": "application/json; charset=utf-8",
      "user-agent": "Sanity.io webhook delivery",
      "idempotency-key": id,
      "sanity-dataset": "production",
      "sanity-document-id": reference ?? id,
      "sanity-operation": operation,
      "sanity-project-id": "zp7mbokg",
      "sanity-transaction-id": `tx-${id}`,
    },
  };
};
