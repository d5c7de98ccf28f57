/** GitHub: https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The id is the delivery's GUID, the same when it is redelivered. The type is the event and its action: `pull_request.opened`, plain `push`. */
export function github<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "github",
      title: "GitHub",
      docs: "https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-hub-signature-256")], form: "plain", prefix: "sha256=", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [header("x-github-delivery")],
      type: [joined(header("x-github-event"), json("action"))],
      hint: "the Secret field of the webhook on GitHub must be the text in {secret}; without one GitHub sends no signature",
      facts: {
        proof: "vector",
        checked: "2026-11-29",
        sameIdOnRetry: true,
        ackSeconds: 10,
        unverified: [
          "That a repository's and its organization's webhook send one fact under one X-GitHub-Delivery: with both at one source it runs once; give each its own source to have both.",
          "GitHub sends up to 25 MB; Holdfast takes 10 MiB, and answers more with 413.",
        ],
      },
    },
    options,
  );
}

export const githubSample: MakeSample = (type = "issues.opened", { id, user, amount, reference }) => {
  const [event = "issues", action] = type.split(".");
  const sender = { login: user, id: 583_231, type: "User" };
  const subject = { number: amount, title: reference ?? `sample ${id}`, state: "open", user: sender };
  return {
    type,
    body: {
      ...(action === undefined ? { ref: "refs/heads/main", commits: [] } : { action }),
      ...(event === "issues" ? { issue: subject } : {}),
      ...(event === "pull_request" ? { number: amount, pull_request: subject } : {}),
      repository: { id: 1_296_269, full_name: "octocat/hello-world", private: false, html_url: "https://github.com/octocat/hello-world" },
      sender,
    },
    headers: {
      "content-type": "application/json",
      "user-agent": "GitHub-Hookshot/0000000",
      "x-github-delivery": id,
      "x-github-event": event,
      "x-github-hook-id": "1",
    },
  };
};
