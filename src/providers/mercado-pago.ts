/** Mercado Pago: https://www.mercadopago.com.mx/developers/en/docs/checkout-api-orders/notifications */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json, query } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface MercadoPagoOptions extends SourceOptions {
  /** Run only events of this mode. Not signed. */
  readonly mode?: "live" | "test";
}

const id = query("data.id");
const requestId = header("x-request-id");
const REST = [
  { when: requestId, parts: [{ literal: "request-id:" }, requestId, { literal: ";" }] },
  { literal: "ts:" },
  "timestamp",
  { literal: ";" },
] as const;

/** The signature covers data.id of the URL, the request's id and the time: not the body. Fetch what data.id names before you believe anything. */
export function mercadoPago<Data = unknown>({ mode, ...options }: MercadoPagoOptions = {}): Provider<Data> {
  return preset(
    {
      name: "mercado-pago",
      title: "Mercado Pago",
      docs: "https://www.mercadopago.com.mx/developers/en/docs/checkout-api-orders/notifications",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-signature")], form: "pairs", signatureKey: "v1", timestampKey: "ts", encoding: "hex" },
        // An absent part is left out. The page lowers the letters of data.id, Mercado Pago's own library does not.
        message: [{ when: id, parts: [{ literal: "id:" }, { lower: id }, { literal: ";" }] }, ...REST],
        alternatives: [[{ when: id, parts: [{ literal: "id:" }, id, { literal: ";" }] }, ...REST]],
        timestamp: { at: "signature", unit: "epoch" },
      },
      // It retries for days, and does not say that it signs a retry anew.
      maxAgeSeconds: 4 * 86_400,
      id: [json("id"), digest()], // The notification's; data.id is what it is about.
      type: [json("action"), json("type"), query("type")],
      occurredAt: { from: json("date_created"), unit: "iso" },
      only: mode === undefined ? [] : [{ at: json("live_mode"), is: String(mode === "live") }],
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the secret signature under Webhooks of the application, not an access token; notifications of the older IPN kind (?topic=...) carry no signature",
      facts: {
        proof: "package",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: 22,
        unverified: [
          "Whether ts counts seconds or milliseconds: both are seen, and both are read.",
          "Whether a retry carries the same id and the same ts; the window is therefore as long as the retries.",
          "The 22 seconds for the answer, and that it must be 200 or 201.",
        ],
      },
    },
    options,
  );
}

/** A notification about a payment. */
export const mercadoPagoSample: MakeSample = (type = "payment.updated", { id, user, amount, reference }) => {
  const [topic = "payment"] = type.split(".");
  return {
    type,
    body: {
      id,
      live_mode: false,
      type: topic,
      date_created: new Date().toISOString(),
      user_id: user,
      api_version: "v1",
      action: type,
      data: { id: "1234567890" },
      sample: { amount, reference: reference ?? id },
    },
    headers: { "content-type": "application/json", "x-request-id": "2066ca19-c6f1-498a-be75-1923005edd06" },
    query: `?data.id=1234567890&type=${topic}`,
  };
};
