/** Bitbucket Cloud: https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface BitbucketOptions extends SourceOptions {
  /** Bitbucket Cloud names a request in X-Request-UUID, Bitbucket Data Center in X-Request-Id. */
  readonly edition?: "cloud" | "data-center";
}

/** The header has GitHub's old name, X-Hub-Signature, but holds a SHA-256. Bodies above 256 KB are silently not sent. */
export function bitbucket<Data = unknown>({ edition = "cloud", ...options }: BitbucketOptions = {}): Provider<Data> {
  return preset(
    {
      name: "bitbucket",
      title: "Bitbucket",
      docs: "https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-hub-signature")], form: "plain", prefix: "sha256=", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      // X-Hook-UUID is the subscription.
      id: [header(edition === "cloud" ? "x-request-uuid" : "x-request-id"), digest()],
      type: [header("x-event-key")],
      hint: "the Secret field of the webhook on Bitbucket must be the text in {secret}; a webhook without one is not signed",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "X-Request-UUID stays the same while X-Attempt-Number counts up.",
          "The prefix sha256= and hex: read in Atlassian's page on Data Center, and in an example of the page on Cloud that was remembered and recomputed.",
        ],
      },
    },
    options,
  );
}

export const bitbucketSample: MakeSample = (type = "repo:push", { id, user, amount, reference }) => ({
  type,
  body: {
    actor: { type: "user", display_name: user, uuid: `{${user}}` },
    repository: { type: "repository", full_name: "team_name/repo_name", name: "repo_name", uuid: "{repository}" },
    ...(type.startsWith("pullrequest:") ? { pullrequest: { id: amount, title: reference ?? `sample ${id}`, state: "OPEN" } } : {}),
    ...(type === "repo:push" ? { push: { changes: [{ new: { type: "branch", name: "main" }, commits: [] }] } } : {}),
  },
  headers: {
    "content-type": "application/json; charset=utf-8",
    "user-agent": "Bitbucket-Webhooks/2.0",
    "x-attempt-number": "1",
    "x-event-key": type,
    "x-hook-uuid": "{hook}",
    "x-request-uuid": id,
  },
});
