/** X (Twitter): https://docs.x.com/x-api/webhooks/quickstart */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, firstField, header, json, query } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Account Activity, X Activity and filtered streams. The type is what happened, as X names it: `tweet_create_events`, `profile.update.bio`. */
export function x<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "x",
      title: "X",
      docs: "https://docs.x.com/x-api/webhooks/quickstart",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-twitter-webhooks-signature")], form: "plain", prefix: "sha256=", encoding: "base64" },
        message: ["body"],
        timestamp: null,
      },
      // The request has no id. "Deduplicate by event ID": the events in its arrays have, each kind under another name; that is the handler's to do.
      id: [digest()],
      type: [json("data.event_type"), firstField("", "for_user_id", "user_has_blocked", "users", "apps")],
      // When the webhook is made, and hourly: what does not look like a token is not signed for anybody.
      handshakes: [
        {
          kind: "get_hmac",
          challenge: query("crc_token"),
          proof: { hash: "SHA-256", key: "utf8", encoding: "base64", prefix: "sha256=", pattern: "[A-Za-z0-9_+/=-]{1,256}" },
          as: { proof: "response_token", challenge: null },
        },
      ],
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the app's consumer secret (API key secret), not the bearer token or an access token's secret",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "That a duplicate delivery has the same bytes: X sends duplicates, and names only the ids inside.",
          "That crc_token is letters, digits and _ + / = - only.",
        ],
      },
    },
    options,
  );
}

/** https://docs.x.com/x-api/account-activity/introduction */
export const xSample: MakeSample = (type = "tweet_create_events", { id, user, amount, reference }) => ({
  type,
  body: {
    for_user_id: "2244994945",
    [type]: [
      {
        created_at: "Thu Jan 01 00:00:00 +0000 2026",
        id_str: id,
        text: `${reference ?? id}: ${amount}`,
        user: { id_str: user, screen_name: user },
        timestamp_ms: "1767225600000",
      },
    ],
  },
  headers: { "content-type": "application/json" },
});
