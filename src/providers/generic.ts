/** Generic: any sender that can compute an HMAC. The contract is our own: README.md#generic */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function generic<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "generic",
      title: "Generic",
      docs: "README.md#generic",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-webhook-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [header("x-webhook-id"), json("id")],
      type: [header("x-webhook-type"), json("type")],
      honoursRetryAfter: true,
      hint: "the signature is the hex HMAC-SHA256 of the exact bytes that are sent, under {secret}; signing before the body is serialised again gives another one",
      facts: { proof: "vector", checked: "2026-11-29", sameIdOnRetry: true, ackSeconds: null, unverified: [] },
    },
    options,
  );
}

/** Id and type in the body, as most senders that have no headers of their own do. */
export const genericSample: MakeSample = (type = "balance.credit", { id, user, amount, reference }) => ({
  type,
  body: { id, type, userId: user, amount, ...(reference === undefined ? {} : { reference }) },
  headers: { "content-type": "application/json" },
});
