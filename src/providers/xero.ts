/** Xero: https://developer.xero.com/documentation/webhooks/configuring-your-server */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compound, digest, header, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

const EMPTY = { status: 200, body: null, contentType: "text/plain; charset=utf-8" } as const;

export function xero<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "xero",
      title: "Xero",
      docs: "https://developer.xero.com/documentation/webhooks/configuring-your-server",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8", // It looks like base64, and is not decoded.
        signature: { at: [header("x-xero-signature")], form: "plain", prefix: "", encoding: "base64" },
        message: ["body"],
        timestamp: null,
      },
      id: [digest()],
      type: [],
      split: {
        items: ["events"],
        // There is no event id. eventDateUtc has no zone, and is not read as a time.
        id: [compound(json("tenantId"), json("resourceId"), json("eventCategory"), json("eventType"), json("eventDateUtc"))],
        type: [joined(json("eventCategory"), json("eventType"))],
        occurredAt: null,
      },
      // "Intent to receive": some requests are signed right and want 200, some wrong and want 401, as everybody gets it.
      handshakes: [
        {
          kind: "post_constant",
          when: [
            { at: json("firstEventSequence"), is: "0" },
            { at: json("lastEventSequence"), is: "0" },
          ],
          answer: EMPTY,
          signed: true,
        },
      ],
      acknowledgement: EMPTY,
      refusal: "empty", // "There is no body in the response", of whatever status.
      hint: "{secret} is the webhooks key of the app, copied whole, although it looks like base64; Xero's own trial requests with wrong signatures are meant to fail",
      facts: {
        proof: "documentation",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: 5,
        unverified: [
          "That the key is used as the text that is shown, and not decoded, is from a third party's code.",
          "The names of the fields of an event.",
        ],
      },
    },
    options,
  );
}

/** https://developer.xero.com/documentation/guides/webhooks/overview/ */
export const xeroSample: MakeSample = (type = "INVOICE.UPDATE", { id, user, amount, reference }) => {
  const [category = "INVOICE", event = "UPDATE"] = type.split(".");
  return {
    type,
    body: {
      events: [
        {
          resourceUrl: `https://api.xero.com/api.xro/2.0/Invoices/${id}?reference=${reference ?? id}&contact=${user}&total=${amount}`,
          resourceId: id,
          eventDateUtc: "2026-01-01T00:00:00.000",
          eventType: event,
          eventCategory: category,
          tenantId: "c2cc9b6e-9458-4c7d-93cc-f02b81b0594f",
          tenantType: "ORGANISATION",
        },
      ],
      lastEventSequence: 1,
      firstEventSequence: 1,
      entropy: "S0m3r4Nd0mt3xt",
    },
    headers: { "content-type": "application/json" },
  };
};
