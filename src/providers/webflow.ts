/** Webflow: https://developers.webflow.com/data/docs/working-with-webhooks */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compound, hashed, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** Webflow sends no id, and says the same in the same bytes more than once (a stock of 9, 10, 9): each signature is an event. The time is in milliseconds. */
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
      id: [hashed(compound(header("x-webflow-timestamp"), header("x-webflow-signature")))],
      type: [json("triggerType")],
      // Anything but 200 is retried.
      acknowledgement: { status: 200, body: null, contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the secretKey of this webhook, or the client secret of the OAuth app that created it; webhooks made on the dashboard before 2025 are not signed",
      facts: {
        proof: "package",
        checked: "2026-11-30",
        sameIdOnRetry: false,
        ackSeconds: null,
        unverified: [
          "That a retry is signed anew, and so runs as another event: let the handler ask whether its effect is there. With its first signature it would be the same one.",
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
