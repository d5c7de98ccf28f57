/** HubSpot: https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests */
import type { Scheme } from "../schemes/scheme.ts";
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { compoundWith, digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

export interface HubspotOptions extends SourceOptions {
  /** HubSpot signs webhooks of apps as `v3` and, beside it, as `v1`; workflows sign as `v2`. Only `v3` is an HMAC and has a time: take the others where it is missing. */
  readonly version?: "v1" | "v2" | "v3";
}

const plainHash = (message: readonly ("secret" | "method" | "url" | "body")[]): Scheme => ({
  kind: "hash",
  hash: "SHA-256",
  signature: { at: [header("x-hubspot-signature")], form: "plain", prefix: "", encoding: "hex" },
  message,
  timestamp: null,
});

const SCHEMES: Readonly<Record<"v1" | "v2" | "v3", Scheme>> = {
  v1: plainHash(["secret", "body"]),
  v2: plainHash(["secret", "method", "url", "body"]),
  v3: {
    kind: "hmac",
    hash: "SHA-256",
    key: "utf8",
    signature: { at: [header("x-hubspot-signature-v3")], form: "plain", prefix: "", encoding: "base64" },
    message: ["method", "url", "body", "timestamp"],
    timestamp: { at: header("x-hubspot-request-timestamp"), unit: "ms" },
  },
};

const REST = ["occurredAt", "objectId", "propertyName", "fromObjectId", "toObjectId", "messageId", "propertyValue"].map((name) => json(name));

/** The webhooks of apps. A delivery is an array of up to 100 events. */
export function hubspot<Data = unknown>({ version = "v3", ...options }: HubspotOptions = {}): Provider<Data> {
  return preset(
    {
      name: "hubspot",
      title: "HubSpot",
      docs: "https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests",
      scheme: SCHEMES[version],
      id: [digest()],
      type: [],
      split: {
        items: [],
        // "Not guaranteed to be unique", HubSpot says of eventId alone. attemptNumber counts the retries, and is not part of it.
        id: [compoundWith([json("portalId"), json("subscriptionId"), json("eventId")], REST), digest("attemptNumber")],
        type: [json("subscriptionType")],
        occurredAt: { from: json("occurredAt"), unit: "ms" },
      },
      honoursRetryAfter: true, // On 429.
      hint: "{secret} is the app's Client secret, and PUBLIC_BASE_URL must be exactly what the target URL at HubSpot begins with",
      facts: {
        proof: "vector",
        checked: "2026-11-30",
        sameIdOnRetry: true,
        ackSeconds: 5,
        unverified: [
          "That a retry is the same event with another attemptNumber, signed anew.",
          "That HubSpot waits 5 seconds and retries 10 times within 24 hours: second-hand.",
          "A target URL with escapes: HubSpot asks for some of them (%3A, %2F, ...) to be decoded before signing, and this takes the URL as it came.",
        ],
      },
    },
    options,
  );
}

/** https://developers.hubspot.com/docs/api-reference/webhooks-webhooks-v3/guide */
export const hubspotSample: MakeSample = (type = "contact.creation", { id, user, amount, reference }) => ({
  type,
  body: [
    {
      eventId: id,
      subscriptionId: 12_345,
      portalId: 62_515,
      appId: 54_321,
      occurredAt: 1_767_225_600_000,
      subscriptionType: type,
      attemptNumber: 0,
      objectId: amount,
      changeFlag: "CREATED",
      changeSource: "CRM",
      sourceId: user,
      reference: reference ?? id,
    },
  ],
  headers: {
    "content-type": "application/json",
    "user-agent": "HubSpot Connect 2.0 (http://dev.hubspot.com/) (namespace: webhooks-nio-http-client)",
  },
});
