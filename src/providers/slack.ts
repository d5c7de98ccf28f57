/** Slack: https://docs.slack.dev/authentication/verifying-requests-from-slack */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compound, digest, form, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Events, slash commands and interactions alike. What a person waits for (a modal, a command's reply) must be sent through its `response_url`. */
export function slack<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "slack",
      title: "Slack",
      docs: "https://docs.slack.dev/authentication/verifying-requests-from-slack",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8", // The signing secret looks like hex and is not decoded.
        signature: { at: [{ header: "x-slack-signature" }], form: "plain", prefix: "v0=", encoding: "hex" },
        message: [{ literal: "v0:" }, "timestamp", { literal: ":" }, "body"],
        timestamp: { at: { header: "x-slack-request-timestamp" }, unit: "s" },
      },
      // Commands and interactions have no event id: they are sent once, and `trigger_id` is theirs alone. `app_rate_limited` has neither,
      // nor has a view that was closed: its bytes, with the view's hash, are its name.
      id: [
        json("event_id"),
        form("trigger_id"),
        json("trigger_id", form("payload")),
        compound(json("type"), json("team_id"), json("minute_rate_limited")),
        digest(),
      ],
      type: [json("event.type"), json("type"), json("type", form("payload")), form("command")],
      occurredAt: { from: json("event_time"), unit: "s" },
      handshakes: [
        { kind: "post_echo", when: [{ at: json("type"), is: "url_verification" }], challenge: json("challenge"), as: "text", signed: true },
      ],
      // Empty: the body of the answer to a slash command is shown to whoever typed it.
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the Signing Secret under Basic Information of the app, not the verification token, the client secret or a bot token",
      facts: {
        proof: "vector",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: 3,
        unverified: [
          "That a retry repeats `event_id`: Slack says that it names the event, not the delivery.",
          "That Slack signs its `url_verification` request: Slack's own libraries verify it first.",
        ],
      },
    },
    options,
  );
}

/** https://docs.slack.dev/apis/events-api */
export const slackSample: MakeSample = (type = "app_mention", { id, user, amount, reference }) => ({
  type,
  body: {
    token: "unused",
    team_id: "T0000001",
    api_app_id: "A0000001",
    event: { type, user, text: `${reference ?? id}: ${amount}`, ts: "1767225600.000100", channel: "C0000001", event_ts: "1767225600.000100" },
    type: "event_callback",
    event_id: id,
    event_time: Math.floor(Date.now() / 1_000),
    is_ext_shared_channel: false,
  },
  headers: { "content-type": "application/json", "user-agent": "Slackbot 1.0 (+https://api.slack.com/robots)" },
});
