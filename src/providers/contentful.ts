/** Contentful: https://www.contentful.com/developers/docs/webhooks/request-verification/ */
import { preset, type Provider, type SourceOptions } from "./provider.ts";
import { digest, header, json } from "./readers.ts";
import type { MakeSample } from "./sample.ts";

/**
 * Signed are the method, the path, the headers that a header lists, and the body. A URL with a query would not verify: Contentful escapes it in a
 * way of its own. The type is the topic: `ContentManagement.Entry.publish`.
 */
export function contentful<Data = unknown>(options?: SourceOptions): Provider<Data> {
  return preset(
    {
      name: "contentful",
      title: "Contentful",
      docs: "https://www.contentful.com/developers/docs/webhooks/request-verification/",
      scheme: {
        kind: "hmac",
        hash: "SHA-256",
        key: "utf8",
        signature: { at: [header("x-contentful-signature")], form: "plain", prefix: "", encoding: "hex" },
        message: [
          "method",
          { literal: "\n" },
          "target",
          { literal: "\n" },
          // Both must be listed: a header's value could imitate the lines of others, and a shorter list would then leave them unsigned.
          { signedHeaders: "x-contentful-signed-headers", including: ["x-contentful-signed-headers", "x-contentful-timestamp"] },
          { literal: "\n" },
          "body",
        ],
        timestamp: { at: header("x-contentful-timestamp"), unit: "ms" },
      },
      id: [header("x-contentful-idempotency-key"), digest()],
      type: [header("x-contentful-topic")],
      occurredAt: { from: json("sys.updatedAt"), unit: "iso" },
      hint: "{secret} is the signing secret of the space (Webhooks, Settings): 64 characters, used as they are, and not shown again",
      facts: {
        proof: "vector",
        checked: "2026-11-30",
        sameIdOnRetry: null,
        ackSeconds: 30,
        unverified: [
          "X-Contentful-Idempotency-Key is the same over retries; where it is not sent, the id is the body's digest.",
          "Contentful waits 30 s.",
          "A retry is signed with a new time.",
        ],
      },
    },
    options,
  );
}

export const contentfulSample: MakeSample = (type = "ContentManagement.Entry.publish", { id, user, amount, reference }) => ({
  type,
  body: {
    sys: {
      type: "Entry",
      id: reference ?? id,
      space: { sys: { type: "Link", linkType: "Space", id: "cfexampleapi" } },
      environment: { sys: { id: "master", type: "Link", linkType: "Environment" } },
      updatedAt: "2026-01-01T00:00:00.000Z",
      updatedBy: { sys: { type: "Link", linkType: "User", id: user } },
      revision: amount,
    },
    fields: { title: { "en-US": "Nyan Cat" } },
  },
  headers: {
    "content-type": "application/vnd.contentful.management.v1+json",
    "x-contentful-idempotency-key": id,
    "x-contentful-signed-headers": "x-contentful-signed-headers,x-contentful-timestamp,x-contentful-topic",
    "x-contentful-topic": type,
    "x-contentful-webhook-name": "Sample webhook",
  },
});
