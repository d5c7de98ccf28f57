/** Adyen, payments: https://docs.adyen.com/development-resources/webhooks/handle-webhook-events */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compoundWith, digest, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface AdyenOptions extends SourceOptions {
  /** Run only events of this environment. Not signed: the two environments have different keys, and that is what tells them apart. */
  readonly mode?: "live" | "test";
}

const item = (field: string) => json(`NotificationRequestItem.${field}`);
const SEPARATOR = { literal: ":" } as const;
/** All signed values but the merchant's reference, which stands between three and four of them: without a colon in these there is one way to read them. */
const APART = ["pspReference", "originalReference", "merchantAccountCode", "amount.value", "amount.currency", "eventCode", "success"];

/** Standard webhooks for payments; those of Adyen for Platforms and Management are `adyenPlatform`. Each item is an event with its own signature. */
export function adyen<Data = unknown>({ mode, ...options }: AdyenOptions = {}): Provider<Data> {
  return preset(
    {
      name: "adyen",
      title: "Adyen",
      docs: "https://docs.adyen.com/development-resources/webhooks/handle-webhook-events",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "hex",
        items: ["notificationItems"],
        signature: { at: [item("additionalData.hmacSignature")], form: "plain", prefix: "", encoding: "base64" },
        // Eight fields and nothing else: reason, eventDate and additionalData are not under the signature.
        message: [
          { optional: item("pspReference") },
          SEPARATOR,
          { optional: item("originalReference") },
          SEPARATOR,
          { optional: item("merchantAccountCode") },
          SEPARATOR,
          { optional: item("merchantReference") },
          SEPARATOR,
          { optional: item("amount.value") },
          SEPARATOR,
          { optional: item("amount.currency") },
          SEPARATOR,
          { optional: item("eventCode") },
          SEPARATOR,
          { optional: item("success") },
        ],
        timestamp: null,
        forms: APART.map((name) => ({ at: item(name), pattern: "[^:\\\\]*", expected: "text without a colon or a backslash" })),
      },
      id: [digest()],
      type: [],
      split: {
        items: ["notificationItems"],
        // `success` too: one event may come first as failed and later as succeeded. And one reference may serve several merchant accounts.
        id: [compoundWith([item("pspReference"), item("eventCode"), item("success")], [item("merchantAccountCode")])],
        type: [item("eventCode")],
        occurredAt: { from: item("eventDate"), unit: "iso" },
      },
      only: mode === undefined ? [] : [{ at: json("live"), is: String(mode === "live") }],
      acknowledgement: { status: 200, body: "[accepted]", contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the HMAC key of this webhook, 64 hex digits, generated in the Customer Area and then saved there; test and live have different ones",
      facts: {
        proof: "vector",
        checked: "2026-11-29",
        sameIdOnRetry: true,
        ackSeconds: 10,
        unverified: [
          "That one eventCode and pspReference can come first with success false and later with true.",
          "The ten seconds for the answer are from a guide of a third party.",
        ],
      },
    },
    options,
  );
}

/** https://docs.adyen.com/development-resources/webhooks/webhook-types */
export const adyenSample: MakeSample = (type = "AUTHORISATION", { id, user, amount, reference }) => ({
  type,
  body: {
    live: "false",
    notificationItems: [
      {
        NotificationRequestItem: {
          additionalData: { shopperReference: user },
          amount: { value: amount, currency: "EUR" },
          eventCode: type,
          eventDate: `${new Date().toISOString().slice(0, 19)}+00:00`,
          merchantAccountCode: "SampleMerchant",
          merchantReference: reference ?? id,
          operations: ["CANCEL", "CAPTURE", "REFUND"],
          paymentMethod: "mc",
          pspReference: id,
          reason: "033899:1111:03/2030",
          success: "true",
        },
      },
    ],
  },
  headers: { "content-type": "application/json; charset=utf-8" },
});
