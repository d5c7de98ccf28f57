/** Vercel: https://vercel.com/docs/webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The signature is HMAC-SHA1, without a prefix and without a time: what was captured can be sent again, and only its id stops it. */
export function vercel<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "vercel",
      title: "Vercel",
      docs: "https://vercel.com/docs/webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-1",
        key: "utf8",
        signature: { at: [header("x-vercel-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [json("id")],
      type: [json("type")],
      occurredAt: { from: json("createdAt"), unit: "ms" },
      hint: "an account webhook signs with the secret shown once when it is created, an integration's webhook with the integration's client secret: {secret} must be that one",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["A retry carries the same id in the body."],
      },
    },
    options,
  );
}

export const vercelSample: MakeSample = (type = "deployment.succeeded", { id, user, amount, reference }) => ({
  type,
  body: {
    id,
    type,
    createdAt: Date.now(),
    region: "sfo1",
    payload: {
      user: { id: user },
      team: { id: "team_example" },
      project: { id: "prj_example" },
      deployment: { id: `dpl_${reference ?? id}`, name: "my-app", url: "my-app.vercel.app", meta: { amount: String(amount) } },
      plan: "pro",
      target: "production",
    },
  },
  headers: { "content-type": "application/json" },
});
