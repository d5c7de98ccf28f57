/** Plaid: https://plaid.com/docs/api/webhooks/webhook-verification/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compound, header, joined, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface PlaidOptions extends SourceOptions {
  readonly environment?: "production" | "sandbox";
}

const token = header("plaid-verification");

/** The secret is `client_id:secret`, as for Plaid's API: the key that signed is asked of it. */
export function plaid<Data = unknown>({ environment = "production", ...options }: PlaidOptions = {}): Provider<Data> {
  return preset(
    {
      name: "plaid",
      title: "Plaid",
      docs: "https://plaid.com/docs/api/webhooks/webhook-verification/",
      scheme: {
        kind: "jwt",
        at: token,
        prefix: "",
        algorithms: ["ES256"],
        key: {
          endpoint: `https://${environment}.plaid.com/webhook_verification_key/get`,
          idField: "client_id",
          secretField: "secret",
          kidField: "key_id",
          answerField: "key",
          kid: "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
          expiredField: "expired_at",
        },
        issuer: null,
        audience: null,
        claims: {},
        body: { claim: "request_body_sha256", encoding: "hex" },
        url: null,
        time: "iat",
      },
      // Plaid says over and over, in the same bytes, that an item has something new: only the token, with its time, tells one from the next.
      // Twice, so that it is too long for a key and its digest is kept instead of it.
      id: [compound(token, token)],
      type: [joined(json("webhook_type"), json("webhook_code"))],
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: '{secret} is `client_id:secret` from Plaid\'s dashboard, with a colon between; for sandbox webhooks plaid({ environment: "sandbox" }) and the sandbox secret',
      facts: {
        proof: "documentation",
        checked: "2026-11-29",
        sameIdOnRetry: false,
        ackSeconds: 10,
        unverified: [
          "That every key is named by a UUID: the documentation's examples are.",
          "That a retry is signed anew, and so runs as another event, follows from the five minutes that a token may be old; it is not said.",
        ],
      },
    },
    options,
  );
}

/** https://plaid.com/docs/api/products/transactions/#webhooks */
export const plaidSample: MakeSample = (type = "TRANSACTIONS.SYNC_UPDATES_AVAILABLE", { id, user, amount, reference }) => {
  const [webhook_type = "TRANSACTIONS", webhook_code = "SYNC_UPDATES_AVAILABLE"] = type.split(".");
  return {
    type,
    body: {
      webhook_type,
      webhook_code,
      item_id: id,
      environment: "sandbox",
      initial_update_complete: true,
      sample: { user, amount, reference: reference ?? id },
    },
    headers: { "content-type": "application/json" },
  };
};
