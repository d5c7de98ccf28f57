/** Sentry: https://docs.sentry.io/integrations/integration-platform/webhooks/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** For internal and public integrations, not for the older service hooks. The type is the resource and its action: `issue.created`. */
export function sentry<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "sentry",
      title: "Sentry",
      docs: "https://docs.sentry.io/integrations/integration-platform/webhooks/",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("sentry-hook-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        // Sentry-Hook-Timestamp is not under the signature, so it proves nothing.
        timestamp: null,
      },
      id: [header("request-id")],
      type: [joined(header("sentry-hook-resource"), json("action"))],
      hint: "{secret} is the client secret of the integration (Settings, Developer Settings), not an auth token and not a DSN",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: 1,
        unverified: ["Sentry does not try again what was not answered: whether Request-ID would be the same is nowhere said."],
      },
    },
    options,
  );
}

export const sentrySample: MakeSample = (type = "issue.created", { id, user, amount, reference }) => {
  const [resource = "issue", action] = type.split(".");
  return {
    type,
    body: {
      action,
      actor: { id: user, name: "Sentry", type: "application" },
      installation: { uuid: "7a485448-a9e2-4c85-8a3c-4f44175783c9" },
      data: { issue: { id: String(amount), shortId: "FRONT-END-1", title: reference ?? `sample ${id}`, level: "error", status: "unresolved" } },
    },
    headers: {
      "content-type": "application/json",
      "request-id": id,
      "sentry-hook-resource": resource,
      "sentry-hook-timestamp": String(Math.floor(Date.now() / 1_000)),
    },
  };
};
