/** DocuSign Connect: https://developers.docusign.com/docs/platform/webhooks/connect/validate */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compoundWith, digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** One header for each HMAC key of the account. */
const SIGNATURES = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"].map((number) => header(`x-docusign-signature-${number}`));

/** In the format JSON SIM with one event a message. Aggregate messages and XML have no such fields: their id is the body's digest. */
export function docusign<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "docusign",
      title: "DocuSign Connect",
      docs: "https://developers.docusign.com/docs/platform/webhooks/connect/validate",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: SIGNATURES, form: "plain", prefix: "", encoding: "base64" },
        message: ["body"],
        timestamp: null,
      },
      // There is no event id; retryCount changes from one attempt to the next.
      id: [compoundWith([json("event"), json("data.envelopeId"), json("generatedDateTime")], [json("data.recipientId")]), digest("retryCount")],
      type: [json("event")],
      occurredAt: { from: json("generatedDateTime"), unit: "iso" },
      // Anything but 200 is retried.
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is a Connect HMAC key of the account, which DocuSign shows once; HMAC has to be switched on for the configuration or the envelope",
      facts: {
        proof: "documentation",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "That generatedDateTime stays the same when a message is sent again.",
          "That the headers are numbered from 1 is from guides of third parties, who say up to 100; the first ten are read.",
        ],
      },
    },
    options,
  );
}

/** A message of JSON SIM. */
export const docusignSample: MakeSample = (type = "envelope-completed", { id, user, amount, reference }) => ({
  type,
  body: {
    event: type,
    apiVersion: "v2.1",
    uri: `/restapi/v2.1/accounts/1/envelopes/${id}`,
    retryCount: 0,
    configurationId: 1,
    generatedDateTime: "2026-01-01T00:00:00.0000000Z", // Part of what names the event: two sendings of one sample are one.
    data: {
      accountId: "f6e0b5c1-6a1e-4e0e-9d9b-2a6b4a1d8c11",
      userId: user,
      envelopeId: id,
      envelopeSummary: {
        status: "completed",
        emailSubject: reference ?? id,
        customFields: { textCustomFields: [{ name: "amount", value: String(amount) }] },
      },
    },
  },
  headers: { "content-type": "application/json; charset=utf-8" },
});
