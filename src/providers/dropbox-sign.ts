/** Dropbox Sign: https://developers.hellosign.com/docs/events/walkthrough/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compoundWith, form, hashed, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/** The payload is the JSON of a form's only field. */
const field = (path: string) => json(path, form("json"));

/** The signature covers the event's time and type, and nothing of the document: it proves who sends, not what. */
export function dropboxSign<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "dropbox-sign",
      title: "Dropbox Sign",
      docs: "https://developers.hellosign.com/docs/events/walkthrough/",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [field("event.event_hash")], form: "plain", prefix: "", encoding: "hex" },
        message: ["timestamp", field("event.event_type")],
        timestamp: { at: field("event.event_time"), unit: "s" },
      },
      // The time is the event's, and retries go on for about three days.
      maxAgeSeconds: 345_600,
      // event_hash is all there is of an id, and it is the signature: two documents that are signed in one second share it.
      id: [
        hashed(
          compoundWith(
            [field("event.event_hash")],
            [
              field("signature_request.signature_request_id"),
              field("event.event_metadata.related_signature_id"),
              field("template.template_id"),
              field("event.event_metadata.reported_for_app_id"),
            ],
          ),
        ),
      ],
      type: [field("event.event_type")],
      occurredAt: { from: field("event.event_time"), unit: "s" },
      multipart: true,
      // Exactly this text, or it is sent again.
      acknowledgement: { status: 200, body: "Hello API Event Received", contentType: "text/plain; charset=utf-8" },
      hint: "{secret} is the API key of the account (for an app's callbacks, of the app's owner), which signs the events",
      facts: {
        proof: "package",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: null,
        unverified: ["That a retry repeats event_time, and with it event_hash.", "Which key signs the callbacks of an app with several API keys."],
      },
    },
    options,
  );
}

/** https://help.dropbox.com/integrations/example-of-a-dropbox-sign-callback-event */
export const dropboxSignSample: MakeSample = (type = "signature_request_signed", { id, user, amount, reference }) => ({
  type,
  body: null,
  form: {
    json: JSON.stringify({
      event: { event_type: type, event_metadata: { related_signature_id: id, reported_for_account_id: user, reported_for_app_id: null } },
      account_guid: user,
      client_id: null,
      signature_request: { signature_request_id: id, title: reference ?? id, metadata: { amount }, is_complete: false, is_declined: false },
    }),
  },
  headers: { "content-type": "application/x-www-form-urlencoded", "user-agent": "HelloSign API" },
});
