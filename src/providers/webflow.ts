/** Webflow: https://developers.webflow.com/data/docs/working-with-webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Webflow sends no id, and a form or an item gives several events: the body's digest is the id. The time is in milliseconds. */
export function webflow<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "webflow",
      title: "Webflow",
      docs: "https://developers.webflow.com/data/docs/working-with-webhooks",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-webflow-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: ["timestamp", { literal: ":" }, "body"],
        timestamp: { at: header("x-webflow-timestamp"), unit: "ms" },
      },
      id: [digest()],
      type: [json("triggerType")],
      hint: "{secret} is the secretKey of this webhook, or the client secret of the OAuth app that created it; webhooks made on the dashboard before 2025 are not signed",
      facts: {
        proof: "package",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: [
          "A retry carries the same bytes, and a new time.",
          "Which webhooks are signed: those of OAuth apps, and those made with a site token or on the dashboard since 2025.",
        ],
      },
    },
    options,
  );
}

/** Its time comes with the signature. */
export const webflowSample: MakeSample = (type = "form_submission", { id, user, amount, reference }) => ({
  type,
  body: {
    triggerType: type,
    payload: {
      name: "Contact Us",
      siteId: "65427cf400e02b306eaa049c",
      data: { "First Name": user, Amount: String(amount) },
      submittedAt: "2026-01-01T00:00:00.000Z",
      id: reference ?? id,
      formId: `form-${id}`,
    },
  },
  headers: { "content-type": "application/json" },
});
