/** Flutterwave: https://developer.flutterwave.com/docs/webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compound, digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface FlutterwaveOptions extends SourceOptions {
  /** Of the API: `v3` sends the secret hash itself, `v4` signs the body with it. */
  readonly version?: "v3" | "v4";
}

const type = (version: "v3" | "v4") => json(version === "v3" ? "event" : "type");

export function flutterwave<Data = unknown>({ version = "v3", ...options }: FlutterwaveOptions = {}): Provider<Data> {
  return preset(
    {
      name: "flutterwave",
      title: "Flutterwave",
      docs: "https://developer.flutterwave.com/docs/webhooks",
      scheme:
        version === "v3"
          ? { kind: "token", at: header("verif-hash"), prefix: "" }
          : {
              kind: "hmac",
              hash: "SHA-256",
              key: "utf8",
              signature: { at: [header("flutterwave-signature")], form: "plain", prefix: "", encoding: "base64" },
              message: ["body"],
              timestamp: null,
            },
      // data.id is the transaction's: pending and then successful is two events.
      id: [compound(type(version), json("data.id"), json("data.status")), digest()],
      type: [type(version)],
      // Anything but 200 is retried.
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: '{secret} is the secret hash under Settings, Webhooks, not an API key; accounts on API v4 need flutterwave({ version: "v4" })',
      facts: {
        proof: "documentation",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "The scheme of v4, HMAC-SHA256 of the body in base64, is from third parties' code: older copies of the page compare the header with the secret itself.",
          "That a retry carries the same bytes.",
        ],
      },
    },
    options,
  );
}

/** https://developer.flutterwave.com/docs/integration-guides/webhooks */
export const flutterwaveSample: MakeSample = (type = "charge.completed", { id, user, amount, reference }) => ({
  type,
  body: {
    event: type,
    data: {
      id,
      tx_ref: reference ?? id,
      flw_ref: "FLW-MOCK-72d0b2d66273fad0bb32fdea9f0fa298",
      amount: amount / 100,
      currency: "NGN",
      status: "successful",
      payment_type: "card",
      created_at: "2026-01-01T00:00:00.000Z",
      customer: { id: 215_604_089, name: user, email: `${user}@example.com` },
    },
  },
  headers: { "content-type": "application/json" },
});
