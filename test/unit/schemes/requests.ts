/** Requests for the schemes' tests. */
import { generic } from "../../../src/providers/generic.ts";
import { github } from "../../../src/providers/github.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import { standard } from "../../../src/providers/standard.ts";
import { stripe } from "../../../src/providers/stripe.ts";
import { sign, verify, type Secrets, type SignedRequest } from "../../../src/schemes/scheme.ts";

export const NOW_MS = 1_767_225_600_000;
export const TOLERANCE_MS = 300_000;

/** Every preset with a secret of its form and another one. */
export const PRESETS: readonly { readonly provider: Provider; readonly secret: string; readonly other: string }[] = [
  { provider: generic(), secret: "generic-test-secret", other: "another" },
  { provider: stripe(), secret: "whsec_test_secret", other: "whsec_other" },
  { provider: github(), secret: "It's a Secret to Everybody", other: "mysecret" },
  { provider: standard(), secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", other: "whsec_plJ3nmyCDGBKInavdOK15jsl" },
];

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export const request = (headers: Readonly<Record<string, string>>, body: Uint8Array): SignedRequest => ({
  method: "POST",
  url: "https://hooks.example/webhooks/x",
  headers: new Headers(headers),
  body,
});

export const only = (current: string): Secrets => ({ current, next: null });

export const signed = (provider: Provider, secret: string, body: Uint8Array, timestampMs = NOW_MS, id = "msg_1"): Promise<Record<string, string>> =>
  sign(provider.scheme, { method: "POST", url: "https://hooks.example/webhooks/x", id, timestampMs, body }, secret);

/** `current`, `next`, or the reason of the rejection. */
export async function outcome(
  provider: Provider,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  secrets: Secrets,
  nowMs = NOW_MS,
): Promise<string> {
  const result = await verify(provider.scheme, request(headers, body), secrets, nowMs, TOLERANCE_MS);
  return result.ok ? result.value.matched : result.failure.reason;
}
