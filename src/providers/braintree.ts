/** Braintree: https://developer.paypal.com/braintree/docs/guides/webhooks/parse */
import { toBase64, utf8 } from "../schemes/bytes.ts";
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compound, form, hashed, literal, query } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/**
 * The secret is `public:private`, both keys with a colon between. The event is XML in base64, in the form field `bt_payload`: the handler decodes it,
 * `kind` in it says what happened.
 */
export function braintree<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "braintree",
      title: "Braintree",
      docs: "https://developer.paypal.com/braintree/docs/guides/webhooks/parse",
      scheme: {
        kind: "hmac",
        hash: "SHA-1",
        key: "sha1_after_colon",
        // `public|signature`, one for each key of the account.
        signature: {
          at: [form("bt_signature")],
          form: "pairs",
          separator: "&",
          assign: "|",
          signatureKey: null,
          timestampKey: null,
          encoding: "hex",
        },
        message: [form("bt_payload")],
        alternatives: [[form("bt_payload"), { literal: "\n" }]],
        timestamp: null,
      },
      // There is no id, and the signatures beside the payload may change with the account's keys.
      id: [hashed(compound(form("bt_payload")))],
      type: [literal("notification")],
      handshakes: [
        {
          kind: "get_hmac",
          challenge: query("bt_challenge"),
          proof: { hash: "SHA-1", key: "sha1_after_colon", encoding: "hex", prefix: "", pattern: "[a-f0-9]{20,32}" },
          as: { text: true, withId: true },
        },
      ],
      hint: "{secret} is `public:private`, the two API keys with a colon between them, and of the environment that sends: sandbox and production have different ones",
      facts: {
        proof: "package",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: 30,
        unverified: ["That a retry carries the same bt_payload, which is what the id is made of."],
      },
    },
    options,
  );
}

/** What the SDKs' webhook testing makes. */
export const braintreeSample: MakeSample = (type = "subscription_charged_successfully", { id, user, amount, reference }) => {
  const transaction = `<transaction><id>${reference ?? id}</id><status>submitted_for_settlement</status><amount>${(amount / 100).toFixed(2)}</amount><customer><id>${user}</id></customer></transaction>`;
  const subject = `<subject><subscription><id>${id}</id><transactions type="array">${transaction}</transactions></subscription></subject>`;
  const xml = `<notification><timestamp type="datetime">2026-01-01T00:00:00Z</timestamp><kind>${type}</kind>${subject}</notification>`;
  return {
    type: "notification",
    body: null,
    form: { bt_payload: `${toBase64(utf8(xml))}\n` },
    headers: { "content-type": "application/x-www-form-urlencoded" },
  };
};
