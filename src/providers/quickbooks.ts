/** QuickBooks Online: https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks/managing-webhooks-notifications */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json, literal } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface QuickbooksOptions extends SourceOptions {
  /**
   * `cloudevents` is what Intuit sends since 2026: an event for each change. `legacy`: an event for each company, all of its changes inside, since one
   * of them alone does not say whose it is.
   */
  readonly format?: "cloudevents" | "legacy";
}

export function quickbooks<Data = unknown>({ format = "cloudevents", ...options }: QuickbooksOptions = {}): Provider<Data> {
  return preset(
    {
      name: "quickbooks",
      title: "QuickBooks Online",
      docs: "https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks/managing-webhooks-notifications",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("intuit-signature")], form: "plain", prefix: "", encoding: "base64" },
        message: ["body"],
        timestamp: null,
      },
      id: [digest()],
      type: [],
      split:
        format === "cloudevents"
          ? { items: [], id: [json("id")], type: [json("type")], occurredAt: { from: json("time"), unit: "iso" } }
          : { items: ["eventNotifications"], id: [digest()], type: [literal("dataChangeEvent")], occurredAt: null },
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the verifier token under Webhooks, not the client secret; development and production have different ones",
      facts: {
        proof: "documentation",
        checked: "2026-11-29",
        sameIdOnRetry: null,
        ackSeconds: 3,
        unverified: [
          "The three seconds for the answer, that it must be 200, and that the signature is base64 of HMAC-SHA256, are from guides of third parties.",
          "That a retry carries the same id is not documented.",
        ],
      },
    },
    options,
  );
}

/** https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks/data-objects */
export const quickbooksSample: MakeSample = (type = "qbo.invoice.created.v1", { id, user, amount, reference }) => ({
  type,
  body: [
    {
      specversion: "1.0",
      id,
      source: "intuit.dsnBgbseACLLRZNxo2dfc4evmEJdxde58xeeYcZliOU=",
      type,
      datacontenttype: "application/json",
      time: new Date().toISOString(),
      intuitentityid: reference ?? id,
      intuitaccountid: "310687",
      data: { user, amount },
    },
  ],
  headers: { "content-type": "application/json" },
});
