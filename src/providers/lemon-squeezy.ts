/** Lemon Squeezy: https://docs.lemonsqueezy.com/help/webhooks/signing-requests */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compoundWith, digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

const attribute = (name: string) => json(`data.attributes.${name}`);
const STATE = [
  "status",
  "cancelled",
  "ends_at",
  "renews_at",
  "trial_ends_at",
  "pause.mode",
  "variant_id",
  "card_last_four",
  "refunded",
  "refunded_amount",
] as const;

export function lemonSqueezy<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "lemon-squeezy",
      title: "Lemon Squeezy",
      docs: "https://docs.lemonsqueezy.com/help/webhooks/signing-requests",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["body"],
        timestamp: null,
      },
      // There is no event id: what happened, to which object, in which version of it. Two versions can have one second, and differ in these.
      id: [compoundWith([json("meta.event_name"), json("data.type"), json("data.id"), attribute("updated_at")], STATE.map(attribute)), digest()],
      type: [json("meta.event_name"), header("x-event-name")],
      occurredAt: { from: json("data.attributes.updated_at"), unit: "iso" },
      // Anything but 200 is retried.
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the signing secret that you typed into this webhook's form, 6 to 40 characters; test mode has its own webhooks",
      facts: {
        proof: "documentation",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["That a retry carries the object as it was at the first attempt, and with it the same updated_at."],
      },
    },
    options,
  );
}

/** https://docs.lemonsqueezy.com/help/webhooks/webhook-requests */
export const lemonSqueezySample: MakeSample = (type = "order_created", { id, user, amount, reference }) => {
  const now = "2026-01-01T00:00:00.000000Z"; // Part of what names the event: two sendings of one sample are one.
  return {
    type,
    body: {
      meta: { test_mode: true, event_name: type, custom_data: { user_id: user, order_id: reference ?? id } },
      data: {
        type: "orders",
        id,
        attributes: {
          store_id: 1,
          identifier: reference ?? id,
          currency: "EUR",
          total: amount,
          status: "paid",
          user_email: `${user}@example.com`,
          created_at: now,
          updated_at: now,
        },
      },
    },
    headers: { "content-type": "application/json", "x-event-name": type },
  };
};
