import { EventCallbackHelper, EventCallbackRequest } from "@dropbox/sign";
import { header, type Oracle, type OracleRequest } from "../oracle.ts";
import { sharedHex } from "../secrets.ts";

interface Callback {
  readonly event: Readonly<Record<string, unknown>> & { readonly event_time: string };
}

/** The `json` field of the form, whichever of the two encodings it came in. */
async function json(request: OracleRequest): Promise<Callback> {
  const given = header(request, "content-type");
  const type = given.startsWith("multipart/form-data") ? given : "application/x-www-form-urlencoded";
  const field = (await new Response(request.body, { headers: { "content-type": type } }).formData()).get("json");
  if (typeof field !== "string") throw new TypeError("no field named json");
  return JSON.parse(field) as Callback;
}

const form = (event: Readonly<Record<string, unknown>>): string =>
  new URLSearchParams({
    json: JSON.stringify({ event: { event_time: "1767225600", event_type: "signature_request_sent", event_hash: "", ...event } }),
  }).toString();

export default {
  provider: "dropbox-sign",
  package: "@dropbox/sign",
  secrets: sharedHex(32),
  sign: null,
  verify: async (request, apiKey) => EventCallbackHelper.isValid(apiKey, EventCallbackRequest.init(await json(request))),
  /** The signature covers event_time and event_type alone. */
  tamper: (request) => ({ ...request, body: request.body.replace(/(event_time%22%3A%22\d+)/, "$10") }),
  bodies: [form({}), form({ event_type: "signature_request_signed", event_metadata: { related_signature_id: "Zoë ☕ 😀" } })],
  quirks: [
    "The signature is event_hash of the body and covers event_time and event_type alone: not the document.",
    "Compares hex text with ===: refuses upper case.",
    "The provider sends multipart/form-data; these bodies are urlencoded, and the adapter reads both.",
  ],
} satisfies Oracle;
