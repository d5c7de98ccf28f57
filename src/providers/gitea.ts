/** Gitea and Forgejo: https://docs.gitea.com/usage/repository/webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Forgejo sends the headers X-Gitea-* too. The type is the event and its action: `issues.opened`, plain `push`. */
export function gitea<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "gitea",
      title: "Gitea",
      docs: "https://docs.gitea.com/usage/repository/webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-gitea-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [header("x-gitea-delivery")],
      type: [joined(header("x-gitea-event"), json("action"))],
      hint: "the webhook's Secret must be the text in {secret} and its content type application/json: as a form, what is signed is not what is sent",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "Forgejo sends X-Gitea-Signature beside its own header.",
          "Gitea does not try again by itself; a redelivery by hand has a new id.",
        ],
      },
    },
    options,
  );
}

export const giteaSample: MakeSample = (type = "issues.opened", { id, user, amount, reference }) => {
  const [event = "issues", action] = type.split(".");
  const sender = { id: 1, login: user, full_name: "", email: "user@example.com" };
  return {
    type,
    body: {
      ...(action === undefined ? { ref: "refs/heads/main", commits: [] } : { action, number: amount }),
      ...(event === "issues" ? { issue: { id: amount, number: amount, title: reference ?? `sample ${id}`, state: "open", user: sender } } : {}),
      repository: { id: 140, full_name: "gitea/webhooks", private: false, html_url: "https://gitea.example/gitea/webhooks" },
      sender,
    },
    headers: {
      "content-type": "application/json",
      "user-agent": "Go-http-client/1.1",
      "x-gitea-delivery": id,
      "x-gitea-event": event,
      "x-gitea-event-type": event,
    },
  };
};
