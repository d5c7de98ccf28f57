/** Fetches what a provider's key server publishes: bounded in time, size and number (key-shelf.ts says when). Hosts were checked by the scheme. */
import { KEY_DOCUMENT_LIMIT_BYTES } from "../core/limits.ts";
import type { Timings } from "../core/timings.ts";
import { concat } from "../schemes/bytes.ts";
import type { FetchKey, KeyRequest } from "../schemes/scheme.ts";
import { KeyShelf, type KeyAnswer } from "./key-shelf.ts";

/** The keys of one request. */
export interface RequestKeys {
  readonly fetchKey: FetchKey;
  /** To be called when the request's signature was right: the addresses of its keys are known from then on. */
  verified(): void;
}

/** `fetcher` and `now` are the world's. Promises are never shared: the platform forbids one request to wait for another's I/O. */
export function keyFetcher(fetcher: typeof fetch, now: () => number): (source: string, timings: Timings) => RequestKeys {
  // A shelf for each source: what is posted to one can neither spend nor push out what another needs.
  const shelves = new Map<string, KeyShelf>();
  return (source, timings) => {
    let shelf = shelves.get(source);
    if (shelf === undefined) shelves.set(source, (shelf = new KeyShelf()));
    const own = shelf;
    const used: { readonly request: KeyRequest; readonly text: string }[] = [];
    return {
      async fetchKey(request) {
        const outcome = own.lookUp(request, now(), timings) ?? own.take(request, await ask(request, fetcher, timings.keyFetchMs), now(), timings);
        if (outcome.ok) used.push({ request, text: outcome.value });
        return outcome;
      },
      verified() {
        for (const { request, text } of used) own.verified(request, text);
      },
    };
  };
}

/** Twice within the time, if the first was lost or refused at once: a stumble of the key server need not cost a redelivery. */
async function ask(request: KeyRequest, fetcher: typeof fetch, timeoutMs: number): Promise<KeyAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const first = await askOnce(request, fetcher, signal);
  return first === "away" && !signal.aborted ? askOnce(request, fetcher, signal) : first;
}

async function askOnce({ url, post }: KeyRequest, fetcher: typeof fetch, signal: AbortSignal): Promise<KeyAnswer> {
  const init =
    post === undefined
      ? { redirect: "manual", signal }
      : { method: "POST", body: post, headers: { "content-type": "application/json" }, redirect: "manual", signal };
  try {
    const response = await fetcher(url, init);
    if (response.status >= 400 && response.status < 500 && response.status !== 429) return "missing";
    if (response.status !== 200) return "away";
    const bytes = await bounded(response, KEY_DOCUMENT_LIMIT_BYTES);
    return bytes === null ? "missing" : { text: new TextDecoder().decode(bytes) };
  } catch {
    return "away";
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
