/** Standard Webhooks as schemes: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
import type { Ed25519Scheme } from "./ed25519.ts";
import type { HmacScheme } from "./hmac.ts";

/** `v1`, HMAC. Adopters differ in the prefix of the three headers (`webhook`, `svix`) and in what their secret is. */
export function standardWebhooks(prefix: string, key: "whsec" | "base64" | "utf8" = "whsec"): HmacScheme {
  return { kind: "hmac", hash: "SHA-256", key, ...rulesOf(prefix, "v1") };
}

/** `v1a`, Ed25519: the secret is the public key. */
export function standardWebhooksAsymmetric(prefix: string): Ed25519Scheme {
  return { kind: "ed25519", key: "whpk", ...rulesOf(prefix, "v1a") };
}

const rulesOf = (prefix: string, tag: string) =>
  ({
    signature: { at: [{ header: `${prefix}-signature` }], form: "tagged", tag, encoding: "base64" },
    message: [{ id: `${prefix}-id` }, { literal: "." }, "timestamp", { literal: "." }, "body"],
    timestamp: { at: { header: `${prefix}-timestamp` }, unit: "s" },
  }) as const;
