import braintree from "braintree";
import { accepts, withHeaders, type Oracle } from "../oracle.ts";
import { sharedText } from "../secrets.ts";

/** The other half of what the dashboard shows: it names the key in `bt_signature`, and signs nothing. */
export const PUBLIC_KEY = "oracle_public_key";

const gateway = (privateKey: string) =>
  new braintree.BraintreeGateway({ environment: braintree.Environment.Sandbox, merchantId: "oracle", publicKey: PUBLIC_KEY, privateKey });
/** In the package's webhook_testing_gateway.js, though not in its types. */
interface Testing {
  sampleSignature(payload: string): string;
}

const payload = (subject: string, lineEnd: string): string => {
  const xml = `<notification><kind>check</kind><timestamp type="datetime">2026-01-01T00:00:00Z</timestamp><subject>${subject}</subject></notification>`;
  return new URLSearchParams({ bt_payload: `${Buffer.from(xml).toString("base64")}${lineEnd}` }).toString();
};

export default {
  provider: "braintree",
  package: "braintree",
  secrets: sharedText("", 32),
  sign: async (delivery, privateKey) => {
    const form = new URLSearchParams(delivery.body);
    const testing = gateway(privateKey).webhookTesting as unknown as Testing;
    form.set("bt_signature", testing.sampleSignature(form.get("bt_payload") ?? ""));
    return withHeaders({ ...delivery, body: form.toString() }, { "content-type": "application/x-www-form-urlencoded" });
  },
  verify: async (request, privateKey) => {
    const form = new URLSearchParams(request.body);
    return accepts(
      () => gateway(privateKey).webhookNotification.parse(form.get("bt_signature") ?? "", form.get("bt_payload") ?? ""),
      (error) => error.name === "invalidSignatureError" || error.name === "InvalidSignatureError",
    );
  },
  tamper: (request) => {
    const form = new URLSearchParams(request.body);
    const payload = form.get("bt_payload") ?? "";
    form.set(
      "bt_payload",
      payload.replace(/^./, (first) => (first === "A" ? "B" : "A")),
    );
    return { ...request, body: form.toString() };
  },
  bodies: [
    payload('<check type="boolean">true</check>', "\n"),
    payload('<check type="boolean">true</check>', ""),
    payload('<check type="boolean">true</check><name>Zoë ☕ 😀</name>', "\n"),
  ],
  quirks: [
    "The key is the SHA-1 of the private key; the signature is in the form body and covers bt_payload.",
    "Accepts the signature of bt_payload or of bt_payload and a line end.",
    "bt_signature is `public|signature[&public|signature]`; pairs of other public keys are passed over, and of two pairs of ours only the first counts.",
    "Refuses a bt_payload with anything but base64 and line ends.",
  ],
} satisfies Oracle;
