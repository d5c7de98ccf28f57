/** Telegram: https://core.telegram.org/bots/api#setwebhook */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { firstField, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Updates of a bot. The type is the field that is there beside `update_id`: `message`, `callback_query`, ... */
export function telegram<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "telegram",
      title: "Telegram",
      docs: "https://core.telegram.org/bots/api#setwebhook",
      scheme: { kind: "token", at: header("x-telegram-bot-api-secret-token"), prefix: "" },
      // Numbered for each bot: one source a bot.
      id: [json("update_id")],
      type: [firstField("", "update_id")],
      hint: "{secret} is the secret_token that setWebhook was called with (1 to 256 of A-Z a-z 0-9 _ -), not the bot's token; without one Telegram sends no header",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: null,
        unverified: [],
      },
    },
    options,
  );
}

/** https://core.telegram.org/bots/api#update */
export const telegramSample: MakeSample = (type = "message", { id, user, amount, reference }) => ({
  type,
  body: {
    update_id: id,
    [type]: {
      message_id: amount,
      from: { id: 1, is_bot: false, first_name: user, username: user },
      chat: { id: 1, type: "private", first_name: user },
      date: 1_767_225_600,
      text: `/order ${reference ?? id}`,
    },
  },
  headers: { "content-type": "application/json" },
});
