/** Twitch: https://dev.twitch.tv/docs/eventsub/handling-webhook-events/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** EventSub. The type begins with the message's: `notification.channel.follow`, and `revocation.channel.follow` when Twitch ends the subscription. */
export function twitch<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "twitch",
      title: "Twitch",
      docs: "https://dev.twitch.tv/docs/eventsub/handling-webhook-events/",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("twitch-eventsub-message-signature")], form: "plain", prefix: "sha256=", encoding: "hex" },
        message: [{ id: "twitch-eventsub-message-id" }, "timestamp", "body"],
        timestamp: { at: header("twitch-eventsub-message-timestamp"), unit: "iso" }, // With nanoseconds.
      },
      maxAgeSeconds: 600,
      id: [header("twitch-eventsub-message-id")],
      type: [joined(header("twitch-eventsub-message-type"), header("twitch-eventsub-subscription-type"))],
      handshakes: [
        {
          kind: "post_echo",
          when: [{ at: header("twitch-eventsub-message-type"), is: "webhook_callback_verification" }],
          challenge: json("challenge"),
          as: "text",
          signed: true,
        },
      ],
      hint: "{secret} is the `transport.secret` (10 to 100 ASCII characters) that the subscription was created with, not the client secret",
      facts: {
        proof: "package",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: null,
        unverified: ["The package that agrees is @twurple/eventsub-http, which is not Twitch's own."],
      },
    },
    options,
  );
}

/** https://dev.twitch.tv/docs/eventsub/eventsub-subscription-types/#channelcheer */
export const twitchSample: MakeSample = (type = "notification.channel.cheer", { id, user, amount, reference }) => {
  const [message = "notification", ...subscription] = type.split(".");
  const name = subscription.join(".");
  return {
    type,
    body: {
      subscription: {
        id: "f1c2a387-161a-49f9-a165-0f21d7a4e1c4",
        type: name,
        version: "1",
        status: "enabled",
        cost: 0,
        condition: { broadcaster_user_id: "1337" },
        created_at: "2026-01-01T00:00:00.634234626Z",
      },
      event: { is_anonymous: false, user_id: user, user_login: user, broadcaster_user_id: "1337", message: reference ?? id, bits: amount },
    },
    headers: {
      "content-type": "application/json",
      "twitch-eventsub-message-retry": "0",
      "twitch-eventsub-message-type": message,
      "twitch-eventsub-subscription-type": name,
      "twitch-eventsub-subscription-version": "1",
    },
  };
};
