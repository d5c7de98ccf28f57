/** Generic: any sender that can compute an HMAC. The contract is our own: README.md#generic */
import type { Provider } from "./provider.ts";
import { header, json } from "./readers.ts";

export function generic<Data = unknown>(): Provider<Data> {
  return {
    name: "generic",
    docs: "README.md#generic",
    scheme: {
      kind: "hmac",
      hash: "SHA-256",
      key: "utf8",
      signature: { form: "plain", header: "x-webhook-signature", encoding: "hex", prefix: "" },
      message: ["body"],
      timestamp: null,
    },
    id: [header("x-webhook-id"), json("id")],
    type: [header("x-webhook-type"), json("type")],
    occurredAt: null,
    handshakes: [],
    acknowledgement: null,
    hint: "the signature is the hex HMAC-SHA256 of the exact bytes that are sent, under {secret}; signing before the body is serialised again gives another one",
  };
}
