/** Authorize.Net: https://developer.authorize.net/api/reference/features/webhooks.html */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export function authorizeNet<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "authorize-net",
      title: "Authorize.Net",
      docs: "https://developer.authorize.net/api/reference/features/webhooks.html",
      scheme: {
        kind: "hmac",
        hash: "SHA-512",
        key: "utf8", // 128 hex digits, and yet the text: for transactions' hashes the same key is decoded, for webhooks it is not.
        signature: { at: [header("x-anet-signature")], form: "plain", prefix: "sha512=", encoding: "HEX" },
        message: ["body"],
        timestamp: null,
      },
      id: [json("notificationId")],
      type: [json("eventType")],
      occurredAt: { from: json("eventDate"), unit: "iso" },
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the Signature Key (128 hex digits) under API Credentials and Keys, not the transaction key; after a new one was made the old one signs for up to 24 hours",
      facts: {
        proof: "vector",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "That the key is the text and not what its digits decode to is from a delivery that a developer published in Authorize.Net's forum in 2017, and from libraries.",
          "The present page could not be read: the names of the fields are those of that delivery.",
          "That a retry carries the same notificationId.",
          "That the answer must be 200.",
        ],
      },
    },
    options,
  );
}

/** https://developer.authorize.net/api/reference/features/webhooks.html#Event_Types_and_Payloads */
export const authorizeNetSample: MakeSample = (type = "net.authorize.payment.authcapture.created", { id, user, amount, reference }) => ({
  type,
  body: {
    notificationId: id,
    eventType: type,
    eventDate: new Date().toISOString(),
    webhookId: "63d6fea2-aa13-4b1d-a204-f5fbc15942b7",
    payload: {
      responseCode: 1,
      merchantReferenceId: reference ?? id,
      customerId: user,
      authCode: "8VTPDC",
      avsResponse: "Y",
      authAmount: amount / 100,
      entityName: "transaction",
      id: "60019392075",
    },
  },
  headers: { "content-type": "application/json" },
});
