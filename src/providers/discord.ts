/** Discord: https://docs.discord.com/developers/events/webhook-events */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface DiscordOptions extends SourceOptions {
  /**
   * Which of the application's two URLs this is. `interactions` are acknowledged with a deferred reply (type 5): the handler sends the real one through
   * the interaction's token, within 15 minutes. Two kinds cannot wait for that: the choices of an autocomplete (type 4), which must be in the answer
   * itself, and a modal. Do without them here, or give the URL of the interactions to an app that answers them.
   */
  readonly endpoint?: "events" | "interactions";
}

const EMPTY = { status: 204, body: null, contentType: "application/json" } as const;

export function discord<Data = unknown>({ endpoint = "events", ...options }: DiscordOptions = {}): Provider<Data> {
  const isEvents = endpoint === "events";
  return preset(
    {
      name: "discord",
      title: "Discord",
      docs: "https://docs.discord.com/developers/events/webhook-events",
      scheme: {
        kind: "ed25519",
        key: "hex",
        signature: { at: [header("x-signature-ed25519")], form: "plain", prefix: "", encoding: "hex" },
        message: ["timestamp", "body"],
        timestamp: { at: header("x-signature-timestamp"), unit: "s" },
      },
      // Webhook events are retried for 10 minutes, perhaps with the first signature.
      maxAgeSeconds: 900,
      // Webhook events have no id; their times have microseconds.
      id: isEvents ? [digest()] : [json("id")],
      // An interaction's type is a number; 2 is a command, with a name.
      type: isEvents ? [json("event.type")] : [joined(json("type"), json("data.name"))],
      // The two kinds of PING are not the same: type 1 of a webhook event is an event. Discord refuses a PING's answer without a content type.
      handshakes: [
        isEvents
          ? { kind: "post_constant", when: [{ at: json("type"), is: "0" }], answer: EMPTY, signed: true }
          : {
              kind: "post_constant",
              when: [{ at: json("type"), is: "1" }],
              answer: { status: 200, body: '{"type":1}', contentType: "application/json" },
              signed: true,
            },
      ],
      acknowledgement: isEvents ? EMPTY : { status: 200, body: '{"type":5}', contentType: "application/json" },
      hint: "{secret} is the Public Key on the application's General Information page (64 hex digits), not the bot token",
      facts: {
        proof: "package",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: 3,
        unverified: [
          "That a retry of a webhook event, within its 10 minutes, has the same body, and so the same id.",
          "Whether a retry is signed anew: the window is as long as the retries.",
          "Interactions: an autocomplete cannot be answered, since its choices would have to be in the acknowledgement.",
        ],
      },
    },
    options,
  );
}

/** https://docs.discord.com/developers/events/webhook-events#entitlement-create */
export const discordSample: MakeSample = (type = "ENTITLEMENT_CREATE", { id, user, amount, reference }) => ({
  type,
  body: {
    version: 1,
    application_id: "1234560123453231555",
    type: 1,
    event: {
      type,
      timestamp: "2026-01-01T00:00:00.064834",
      data: { id, application_id: "1234560123453231555", user_id: user, sku_id: reference ?? id, type: 4, deleted: false, consumed: false, amount },
    },
  },
  headers: { "content-type": "application/json", "user-agent": "Discord-Webhook/1.0 (+https://discord.com)" },
});
