/** Requests for the schemes' tests. */
import { Delivery } from "../../../src/core/delivery.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import { sign, verify, type Circumstances, type Secrets } from "../../../src/schemes/scheme.ts";

export const NOW_MS = 1_767_225_600_000;
export const TOLERANCE_MS = 300_000;
export const URL_SIGNED = "https://hooks.example/webhooks/x";

export const bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(new TextEncoder().encode(text));

export const request = (headers: Readonly<Record<string, string>>, body: Uint8Array): Delivery =>
  new Delivery({ method: "POST", url: URL_SIGNED, headers: new Headers(headers), body });

export const only = (current: string): Secrets => ({ current, next: null });

/** No scheme of these tests fetches keys. */
export const at = (nowMs = NOW_MS): Circumstances => ({
  nowMs,
  toleranceMs: TOLERANCE_MS,
  fetchKey: async () => ({ ok: false, failure: { reason: "key_unavailable", host: "keys.example" } }),
});

/** The headers that sign a body. */
export async function signed(
  provider: Provider,
  secret: string,
  body: Uint8Array,
  timestampMs = NOW_MS,
  id = "msg_1",
): Promise<Readonly<Record<string, string>>> {
  const outgoing = { method: "POST", url: URL_SIGNED, headers: {}, id, timestampMs, body };
  return (await sign(provider.scheme, outgoing, { secret, privateKey: null })).headers;
}

/** `current`, `next`, or the reason of the rejection. */
export async function outcome(
  provider: Provider,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
  secrets: Secrets,
  nowMs = NOW_MS,
): Promise<string> {
  const result = await verify(provider.scheme, request(headers, body), secrets, at(nowMs));
  return result.ok ? result.value.matched : result.failure.reason;
}
