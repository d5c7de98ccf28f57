/** GitLab: https://docs.gitlab.com/user/project/integrations/webhooks/ */
import { standardWebhooks } from "../schemes/standard-webhooks.ts";
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface GitlabOptions extends SourceOptions {
  /** `signature`: the webhook's signing token. `token`: the secret token, which stands as it is in X-Gitlab-Token and proves nothing about the body. */
  readonly auth?: "signature" | "token";
}

/** The type is the object and what was done to it: `merge_request.merge`, plain `push`. Groups and projects alike. */
export function gitlab<Data = unknown>({ auth = "signature", ...options }: GitlabOptions = {}): Provider<Data> {
  return preset(
    {
      name: "gitlab",
      title: "GitLab",
      docs: "https://docs.gitlab.com/user/project/integrations/webhooks/",
      scheme: auth === "signature" ? standardWebhooks("webhook") : { kind: "token", at: header("x-gitlab-token"), prefix: "" },
      // The same value: webhook-id repeats Idempotency-Key where the request is signed. X-Gitlab-Event-UUID is shared by recursive webhooks.
      id: auth === "signature" ? [header("webhook-id")] : [header("idempotency-key"), digest()],
      type: [joined(json("object_kind"), json("object_attributes.action")), json("event_name"), header("x-gitlab-event")],
      hint: 'the signing token (whsec_...) and the secret token are two fields: {secret} is the signing token, or the secret token with gitlab({ auth: "token" })',
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: 10,
        unverified: ["GitLab.com waits 10 s.", "Servers before 17.4 send no Idempotency-Key: the body's digest is the id."],
      },
    },
    options,
  );
}

export const gitlabSample: MakeSample = (type = "issue.open", { id, user, amount, reference }) => {
  const [kind = "issue", action] = type.split(".");
  const event = { issue: "Issue Hook", merge_request: "Merge Request Hook", push: "Push Hook", pipeline: "Pipeline Hook" }[kind] ?? "Note Hook";
  const attributes = { id: amount, iid: amount, title: reference ?? `sample ${id}`, state: "opened", action };
  return {
    type,
    body: {
      object_kind: kind,
      user: { id: 1, name: user, username: user },
      project: { id: 15, name: "Diaspora", path_with_namespace: "mike/diaspora", web_url: "https://gitlab.example/mike/diaspora" },
      ...(action === undefined ? { ref: "refs/heads/main", commits: [] } : { object_attributes: attributes }),
    },
    headers: {
      "content-type": "application/json",
      "user-agent": "GitLab/18.6.0",
      "idempotency-key": id,
      "x-gitlab-event": event,
      "x-gitlab-instance": "https://gitlab.example",
    },
  };
};
