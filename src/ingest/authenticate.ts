/** Whether a delivery is authentic, and what its sender and our operator hear when it is not. */
import { type Config, secretVariable } from "../config.ts";
import type { Delivery } from "../core/delivery.ts";
import type { Refusal, Rejection, Secrets } from "../core/reasons.ts";
import { failed, ok, type Result } from "../core/result.ts";
import { explain } from "../providers/explain.ts";
import type { Provider } from "../providers/provider.ts";
import { coversUrl } from "../schemes/coverage.ts";
import { type Circumstances, type Match, verify } from "../schemes/scheme.ts";
import { isolateKeys, type RequestKeys } from "./fetch-key.ts";

interface Source {
  readonly name: string;
  readonly provider: Provider;
  readonly secrets: Secrets;
  readonly config: Config;
}

interface Unauthentic {
  readonly refusal: Refusal;
  readonly reason: Rejection["reason"];
  readonly hint: string;
}

export async function authenticate(
  delivery: Delivery,
  { name, provider, secrets, config }: Source,
  nowMs: number,
): Promise<Result<Match, Unauthentic>> {
  const servedKey = config.servedKeyOf(name);
  const keys = servedKey === null ? isolateKeys(name, config.timings) : keysOf(servedKey);
  const circumstances: Circumstances = {
    nowMs,
    toleranceMs: provider.maxAgeSeconds === undefined ? config.timings.toleranceMs : provider.maxAgeSeconds * 1_000,
    fetchKey: keys.fetchKey,
  };
  const verified = await verify(provider.scheme, delivery, secrets, circumstances);
  if (verified.ok) {
    keys.verified();
    return verified;
  }
  const { reason } = verified.failure;
  const hint = explain(verified.failure, provider, secretVariable(name), coversUrl(provider.scheme) ? withoutQuery(delivery.url) : null);
  // With no secret that could be a key nothing can ever match, and that is our fault: the provider is asked to try again.
  const isOurs = reason === "secret_malformed" && (await hasNoKey(provider, delivery, secrets, circumstances));
  return failed({ refusal: isOurs ? "source_not_configured" : refusalOf(reason), reason, hint });
}

/** Whoever could not be told from a forger, for no fault of his own, is asked to try again: SNS takes every 4xx for final (decision 017). */
function refusalOf(reason: Rejection["reason"]): Refusal {
  return reason === "key_unavailable" || reason === "key_budget_spent" ? "key_unavailable" : "invalid_signature";
}

/** A key that was configured instead of one that is fetched (development, tests). */
const keysOf = (text: string): RequestKeys => ({ fetchKey: async () => ok(text), verified: () => undefined });

/** Whether none of the source's secrets can be a key: then no signature can ever be right. */
async function hasNoKey(provider: Provider, delivery: Delivery, { current, next }: Secrets, circumstances: Circumstances): Promise<boolean> {
  const each = await Promise.all(
    [current, next]
      .filter((secret) => secret !== null)
      .map((secret) => verify(provider.scheme, delivery, { current: secret, next: null }, circumstances)),
  );
  return each.every((outcome) => !outcome.ok && outcome.failure.reason === "secret_malformed");
}

/** For a log: a query may hold a token. */
const withoutQuery = (url: string): string => url.split("?", 1)[0] ?? url;
