/** WebSub: https://www.w3.org/TR/websub/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, literal, query } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface WebsubOptions extends SourceOptions {
  /** How the hub signs: Google's, which has YouTube's channels, with SHA-1, newer ones with SHA-256. */
  readonly hash?: "SHA-1" | "SHA-256" | "SHA-384" | "SHA-512";
  /** The only topic whose subscription is confirmed, to the letter; any where absent. */
  readonly topic?: string;
  /** For hubs that still know PubSubHubbub 0.3 (Google's): confirm only with the source's verify token. */
  readonly verifyToken?: boolean;
}

const PREFIXES = { "SHA-1": "sha1=", "SHA-256": "sha256=", "SHA-384": "sha384=", "SHA-512": "sha512=" } as const;

/** Subscriptions with a `hub.secret`: what comes without a signature is refused. The body is whatever the topic is, an Atom feed for YouTube. */
export function websub<Data = unknown>({ hash = "SHA-1", topic, verifyToken = false, ...options }: WebsubOptions = {}): Provider<Data> {
  return preset(
    {
      name: "websub",
      title: "WebSub",
      docs: "https://www.w3.org/TR/websub/",
      scheme: {
        kind: "hmac",
        hash,
        key: "utf8",
        signature: { at: [header("x-hub-signature")], form: "plain", prefix: PREFIXES[hash], encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      id: [digest()],
      type: [literal("update")],
      // Only subscribing is confirmed: whoever asks a hub to end our subscription is not heard, and it ends with its lease.
      handshakes: [
        {
          kind: "get_echo",
          challenge: query("hub.challenge"),
          where: { "hub.mode": "subscribe", ...(topic === undefined ? {} : { "hub.topic": topic }) },
          tokenParam: verifyToken ? "hub.verify_token" : null,
          as: "text",
        },
      ],
      hint: "{secret} is the hub.secret that the subscription was made with; renew it before hub.lease_seconds are over",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["That a hub sends the same bytes again when it retries: where it does not, the update is another event."],
      },
    },
    options,
  );
}

/** A JSON feed as the topic; a hub sends whatever the topic is. */
export const websubSample: MakeSample = (type = "update", { id, user, amount, reference }) => ({
  type,
  body: { id: "https://example.com/feed", items: [{ id, title: reference ?? id, author: user, amount }] },
  headers: { "content-type": "application/feed+json", link: '<https://hub.example/>; rel="hub", <https://example.com/feed>; rel="self"' },
});
