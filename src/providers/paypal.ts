/** PayPal: https://developer.paypal.com/api/rest/webhooks/rest/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The secret is the id of the webhook, which the dashboard shows: it is in what PayPal signs, and nothing else tells your webhooks from others'. */
export function paypal<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "paypal",
      title: "PayPal",
      docs: "https://developer.paypal.com/api/rest/webhooks/rest/",
      scheme: {
        kind: "rsa",
        hash: "SHA-256",
        key: {
          certificate: header("paypal-cert-url"),
          allow: { host: "api(?:-m)?(?:\\.sandbox)?\\.paypal\\.com", path: "/v1/notifications/certs/[A-Za-z0-9_-]+" },
        },
        signature: { at: [header("paypal-transmission-sig")], form: "plain", prefix: "", encoding: "base64" },
        message: [header("paypal-transmission-id"), { literal: "|" }, "timestamp", { literal: "|" }, "secret", { literal: "|" }, "body_crc32"],
        timestamp: { at: header("paypal-transmission-time"), unit: "iso" },
      },
      // PayPal retries for three days, and does not say that it signs a retry anew.
      maxAgeSeconds: 3 * 86_400 + 3_600,
      id: [json("id")], // The transmission's id is another at each attempt.
      type: [json("event_type")],
      occurredAt: { from: json("create_time"), unit: "iso" },
      hint: "{secret} is not the client secret but the id of the webhook, from My Apps; sandbox and live webhooks have different ids, and the simulator's events belong to no webhook and fail",
      facts: {
        proof: "vector",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "That a retry carries the same event id is not documented.",
          "Whether a retry is signed with a new transmission time is not documented; the window is therefore as long as PayPal retries.",
          "The hosts of the certificates are those seen in PayPal's SDKs and documentation; PayPal publishes no list.",
          "PayPal signs a CRC-32 of the body, not a digest: whoever captured a delivery can make another body with the same checksum.",
        ],
      },
    },
    options,
  );
}

/** https://developer.paypal.com/api/rest/webhooks/event-names/ */
export const paypalSample: MakeSample = (type = "PAYMENT.CAPTURE.COMPLETED", { id, user, amount, reference }) => {
  const now = new Date().toISOString();
  return {
    type,
    body: {
      id,
      event_version: "1.0",
      create_time: now,
      resource_type: "capture",
      resource_version: "2.0",
      event_type: type,
      summary: "A sample event",
      resource: {
        id: "42311647XV020574X",
        amount: { currency_code: "EUR", value: (amount / 100).toFixed(2) },
        custom_id: user,
        invoice_id: reference ?? id,
        status: "COMPLETED",
        final_capture: true,
        create_time: now,
        update_time: now,
      },
      links: [],
    },
    headers: {
      "content-type": "application/json",
      "paypal-auth-algo": "SHA256withRSA",
      "paypal-cert-url": "https://api.sandbox.paypal.com/v1/notifications/certs/CERT-sample",
      "paypal-transmission-id": "69cd13f0-d67a-11e5-baa3-778b53f4ae55",
    },
  };
};
