/** CircleCI: https://circleci.com/docs/guides/integration/outbound-webhooks/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function circleci<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "circleci",
      title: "CircleCI",
      docs: "https://circleci.com/docs/guides/integration/outbound-webhooks/",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        // A list of versions, of which v1 is the latest and only: no other is looked at, so none can be downgraded to.
        signature: { at: [header("circleci-signature")], form: "pairs", signatureKey: "v1", timestampKey: null, encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [json("id")],
      type: [json("type")],
      occurredAt: { from: json("happened_at"), unit: "iso" },
      hint: "the secret token of the project's webhook must be the text in {secret}; without one the header circleci-signature is not sent",
      facts: { proof: "vector", checked: "2026-11-30", sameIdOnRetry: true, ackSeconds: 10, unverified: [] },
    },
    options,
  );
}

export const circleciSample: MakeSample = (type = "workflow-completed", { id, user, amount, reference }) => ({
  type,
  body: {
    id,
    type,
    happened_at: new Date().toISOString(),
    webhook: { id: "cf8c4fdd-0587-4da1-b4ca-4846e9640af9", name: "Sample webhook" },
    project: { id: "84996744-a854-4f5e-aea3-04e2851dc1d2", name: "webhook-service", slug: "github/circleci/webhook-service" },
    organization: { id: "f22b6566-597d-46d5-ba74-99ef5bb3d85c", name: "circleci" },
    workflow: { id: reference ?? id, name: "build-test-deploy", status: "success", url: "https://app.circleci.com/pipelines" },
    pipeline: { id: "1285fe1d-d3a6-44fc-8886-8979558254c4", number: amount, vcs: { branch: "main", commit: { author: { name: user } } } },
  },
  headers: { "content-type": "application/json", "user-agent": "CircleCI-Webhook/1.0", "circleci-event-type": type },
});
