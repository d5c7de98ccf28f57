/** GitHub: https://docs.github.com/webhooks/webhook-events-and-payloads. `pull_request.opened` is the event `pull_request` with the action `opened`. */
import type { MakeSample } from "./sample.ts";

export const githubSample: MakeSample = (type = "issues.opened", { id, user, amount, reference }) => {
  const [event = "issues", action] = type.split(".");
  const repository = { id: 1_296_269, full_name: "octocat/hello-world", private: false, html_url: "https://github.com/octocat/hello-world" };
  const sender = { login: user, id: 583_231, type: "User" };
  const subject = { number: amount, title: reference ?? `sample ${id}`, state: "open", user: sender };
  return {
    type,
    body: {
      ...(action === undefined ? { ref: "refs/heads/main", commits: [] } : { action }),
      ...(event === "issues" ? { issue: subject } : {}),
      ...(event === "pull_request" ? { number: amount, pull_request: subject } : {}),
      repository,
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
