/** Front: https://dev.frontapp.com/docs/application-webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface FrontOptions extends SourceOptions {
  /** `rule`: the webhooks of Front's rules, which are signed otherwise. */
  readonly webhook?: "application" | "rule";
}

export function front<Data = unknown>({ webhook = "application", ...options }: FrontOptions = {}): Provider<Data> {
  const signature = { at: [header("x-front-signature")], form: "plain", prefix: "", encoding: "base64" } as const;
  return preset(
    {
      name: "front",
      title: "Front",
      docs: "https://dev.frontapp.com/docs/application-webhooks",
      scheme:
        webhook === "application"
          ? {
              kind: "hmac",
              hash: "SHA-256",
              key: "utf8",
              signature,
              message: ["timestamp", { literal: ":" }, "body"],
              timestamp: { at: header("x-front-request-timestamp"), unit: "ms" },
            }
          : { kind: "hmac", hash: "SHA-1", key: "utf8", signature, message: ["body"], timestamp: null },
      id: [json("payload.id"), json("id"), digest()],
      type: [json("type")],
      handshakes: [
        {
          kind: "post_echo",
          when: [{ at: json("type"), is: "sync" }],
          challenge: header("x-front-challenge"),
          as: { field: "challenge" },
          signed: true,
        },
      ],
      hint: "{secret} is the app's signing key (for a rule's webhook, the API secret of the Webhooks app), not an API token",
      facts: {
        proof: "documentation",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "That the event's id, evt_..., is payload.id in an application's webhook and id in a rule's, and that a retry repeats it.",
          "The challenge goes back as JSON: public receivers do so, and the page was at hand only in part.",
        ],
      },
    },
    options,
  );
}

export const frontSample: MakeSample = (type = "inbound_received", { id, user, amount, reference }) => ({
  type,
  body: {
    type,
    authorization: { id: "cmp_abc" },
    payload: {
      id,
      type: "inbound",
      emitted_at: 1_767_225_600.123,
      conversation: { id: "cnv_1", subject: reference ?? id },
      source: { _meta: { type: "inboxes" } },
      target: {
        _meta: { type: "message" },
        data: { id: "msg_1", author: null, recipients: [{ handle: user, role: "from" }], blurb: String(amount) },
      },
    },
  },
  headers: { "content-type": "application/json", "user-agent": "Front/1.0" },
});
