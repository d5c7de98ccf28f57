/** GitHub: https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries */
import type { Provider } from "./provider.ts";
import { header, joined, json } from "./readers.ts";

/** The id is the delivery's GUID, the same when it is redelivered. The type is the event and its action: `pull_request.opened`, plain `push`. */
export function github<Data = unknown>(): Provider<Data> {
  return {
    name: "github",
    docs: "https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries",
    scheme: {
      kind: "hmac",
      hash: "SHA-256",
      key: "utf8",
      signature: { form: "plain", header: "x-hub-signature-256", encoding: "hex", prefix: "sha256=" },
      message: ["body"],
      timestamp: null,
    },
    id: [header("x-github-delivery")],
    type: [joined(header("x-github-event"), json("action"))],
    occurredAt: null,
    handshakes: [],
    acknowledgement: null,
    hint: "the Secret field of the webhook on GitHub must be the text in {secret}; without one GitHub sends no signature",
  };
}
