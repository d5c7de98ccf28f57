/** Fetches what a provider's key server publishes: bounded in time, size and number, remembered by this isolate. Hosts were checked by the scheme. */
import { KEY_DOCUMENT_LIMIT_BYTES, KEY_FETCHES_PER_MINUTE, KEYS_KEPT } from "../core/limits.ts";
import { failed, ok } from "../core/result.ts";
import type { Timings } from "../core/timings.ts";
import { concat } from "../schemes/bytes.ts";
import type { FetchKey, KeyRequest } from "../schemes/scheme.ts";

type Document = Awaited<ReturnType<FetchKey>>;

interface Kept {
  readonly document: Document;
  readonly atMs: number;
}

const MINUTE_MS = 60_000;

/** `fetcher` and `now` are the world's. Promises are never shared: the platform forbids one request to wait for another's I/O. */
export function keyFetcher(fetcher: typeof fetch, now: () => number): (timings: Timings) => FetchKey {
  const kept = new Map<string, Kept>();
  let minuteStartMs = 0;
  let fetches = 0;
  const mayFetch = (): boolean => {
    if (now() - minuteStartMs >= MINUTE_MS) [minuteStartMs, fetches] = [now(), 0];
    return ++fetches <= KEY_FETCHES_PER_MINUTE;
  };
  const keep = (name: string, document: Document): Document => {
    kept.delete(name);
    kept.set(name, { document, atMs: now() });
    const [oldest] = kept.keys();
    if (kept.size > KEYS_KEPT && oldest !== undefined) kept.delete(oldest);
    return document;
  };

  return (timings) => async (request) => {
    const name = `${request.url} ${request.post ?? ""}`;
    const before = kept.get(name);
    const ageMs = before === undefined ? Number.POSITIVE_INFINITY : now() - before.atMs;
    const goodForMs = before?.document.ok === true && request.fresh !== true ? timings.keyKeptMs : timings.keyRefusedMs;
    if (before !== undefined && ageMs < goodForMs) return before.document;
    const unavailable = failed({ reason: "key_unavailable", host: new URL(request.url).hostname } as const);
    const document = mayFetch() ? await ask(request, fetcher, timings.keyFetchMs) : unavailable;
    // Not remembered: the next request asks again, and until then what was seen lately still serves.
    if (!document.ok && document.failure.reason === "key_unavailable")
      return before?.document.ok === true && ageMs < timings.keyStaleMs ? before.document : document;
    return keep(name, document);
  };
}

async function ask({ url, post }: KeyRequest, fetcher: typeof fetch, timeoutMs: number): Promise<Document> {
  const host = new URL(url).hostname;
  const signal = AbortSignal.timeout(timeoutMs);
  const init =
    post === undefined
      ? { redirect: "manual", signal }
      : { method: "POST", body: post, headers: { "content-type": "application/json" }, redirect: "manual", signal };
  try {
    const response = await fetcher(url, init);
    if (response.status >= 400 && response.status < 500 && response.status !== 429) return failed({ reason: "key_unknown", host });
    if (response.status !== 200) return failed({ reason: "key_unavailable", host });
    const bytes = await bounded(response, KEY_DOCUMENT_LIMIT_BYTES);
    return bytes === null ? failed({ reason: "key_unknown", host }) : ok(new TextDecoder().decode(bytes));
  } catch {
    return failed({ reason: "key_unavailable", host });
  }
}

/** null: longer than that. */
async function bounded(response: Response, limitBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array;
    length += bytes.length;
    if (length > limitBytes) return null;
    chunks.push(bytes);
  }
  return concat(chunks);
}

/** One per isolate. */
export const isolateKeys = keyFetcher((input, init) => fetch(input, init), Date.now);
