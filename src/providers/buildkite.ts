/** Buildkite: https://buildkite.com/docs/apis/webhooks/pipelines */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface BuildkiteOptions extends SourceOptions {
  /** `token`: the webhook's token stands as it is in X-Buildkite-Token and proves nothing about the body. */
  readonly auth?: "signature" | "token";
}

/** Buildkite sends no id, and a build that was blocked finishes twice: the body's digest is the id. */
export function buildkite<Data = unknown>({ auth = "signature", ...options }: BuildkiteOptions = {}): Provider<Data> {
  return preset(
    {
      name: "buildkite",
      title: "Buildkite",
      docs: "https://buildkite.com/docs/apis/webhooks/pipelines",
      scheme:
        auth === "token"
          ? { kind: "token", at: header("x-buildkite-token"), prefix: "" }
          : {
              kind: "hmac",
              hash: "SHA-256",
              key: "utf8",
              signature: {
                at: [header("x-buildkite-signature")],
                form: "pairs",
                signatureKey: "signature",
                timestampKey: "timestamp",
                encoding: "hex",
              },
              message: ["timestamp", { literal: "." }, "body"],
              timestamp: { at: "signature", unit: "s" },
            },
      id: [digest()],
      type: [json("event"), header("x-buildkite-event")],
      hint: 'the Token of the notification service must be the text in {secret}, and it must be set to send an HMAC signature, or buildkite({ auth: "token" })',
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["Whether Buildkite tries again, and then with the same bytes."],
      },
    },
    options,
  );
}

export const buildkiteSample: MakeSample = (type = "build.finished", { id, user, amount, reference }) => ({
  type,
  body: {
    event: type,
    build: {
      id,
      number: amount,
      state: "passed",
      message: reference ?? `sample ${id}`,
      branch: "main",
      creator: { id: user, name: "Some Person" },
      created_at: "2026-01-01T00:00:00.000Z",
      finished_at: "2026-01-01T00:01:00.000Z",
    },
    pipeline: { id: "849411f9-9e6d-4739-a0d8-e247088e9b52", slug: "great-pipeline" },
    sender: { id: "8a7693f8-dbae-4783-9137-84090fce9045", name: "Some Person" },
  },
  headers: { "content-type": "application/json", "user-agent": "Buildkite-Request", "x-buildkite-event": type },
});
