/** Adyen for Platforms: https://docs.adyen.com/development-resources/webhooks/handle-webhook-events */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compound, digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface AdyenPlatformOptions extends SourceOptions {
  /** Run only events of this environment. */
  readonly mode?: "live" | "test";
}

/** Everything of Adyen that signs in a header: platforms, transfers, management, tokens. Payments are `adyen`. */
export function adyenPlatform<Data = unknown>({ mode, ...options }: AdyenPlatformOptions = {}): Provider<Data> {
  return preset(
    {
      name: "adyen-platform",
      title: "Adyen for Platforms",
      docs: "https://docs.adyen.com/development-resources/webhooks/handle-webhook-events",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "hex",
        signature: { at: [header("hmacsignature")], form: "plain", prefix: "", encoding: "base64" },
        message: ["body"],
        timestamp: null,
      },
      // Only some kinds have an eventId, and it is the reference of a payment, which several types share.
      id: [compound(json("type"), json("eventId")), digest()],
      type: [json("type")],
      occurredAt: { from: json("timestamp"), unit: "iso" },
      only: mode === undefined ? [] : [{ at: json("environment"), is: mode }],
      hint: "{secret} is the HMAC key of this webhook, 64 hex digits; webhooks for payments are signed in the body and need the provider `adyen`",
      facts: {
        proof: "vector",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: 10,
        unverified: [
          "That a retry carries the same bytes, which is what the id of most kinds is made of.",
          "The ten seconds for the answer are from a guide of a third party.",
        ],
      },
    },
    options,
  );
}

/** https://docs.adyen.com/api-explorer/transfer-webhooks/latest/post/balancePlatform.transfer.updated */
export const adyenPlatformSample: MakeSample = (type = "balancePlatform.transfer.updated", { id, user, amount, reference }) => {
  const now = "2026-01-01T00:00:00+00:00"; // The bytes name the event: two sendings of one sample are one.
  return {
    type,
    body: {
      data: {
        id,
        balancePlatform: "SamplePlatform",
        amount: { value: amount, currency: "EUR" },
        reference: reference ?? id,
        accountHolder: { id: user, description: "Sample" },
        creationDate: now,
        status: "booked",
      },
      environment: "test",
      timestamp: now,
      type,
    },
    headers: { "content-type": "application/json; charset=utf-8" },
  };
};
