/** Pure. The request headers that are kept with an event: the provider's own, bounded, clean, without anything that authenticates. */
import { HEADERS_LIMIT_BYTES } from "../core/limits.ts";
import { secretHeaders, type Scheme } from "../schemes/scheme.ts";

/** Kept headers reach the queue, the ledger and the console. A name that only sounds like a secret is left out too: nobody misses it. */
const SECRET = /auth|cookie|signature|hmac|token|secret|passw|credential|session|jwt|api-?key|access-?key|private-?key|content-mac/;
/** What the edge and the connection add: not the provider's words, and they would push those out. */
const TRANSPORT =
  /^(?:cf-.*|cdn-loop|x-forwarded-.*|x-real-ip|true-client-ip|forwarded|via|connection|keep-alive|host|content-length|transfer-encoding|accept|accept-.*)$/;

/** Names in lower case. At most HEADERS_LIMIT_BYTES as JSON: in order of name, leaving out what no longer fits, so that a redelivery keeps the same ones. */
export function keptHeaders(headers: Headers, scheme: Scheme): Readonly<Record<string, string>> {
  const secret = new Set(secretHeaders(scheme));
  const kept: [name: string, value: string][] = [];
  let room = HEADERS_LIMIT_BYTES - "{}".length;
  for (const [name, value] of [...headers].toSorted(([left], [right]) => (left < right ? -1 : 1))) {
    if (secret.has(name) || SECRET.test(name) || TRANSPORT.test(name) || !isClean(value)) continue;
    const size = new TextEncoder().encode(`${JSON.stringify(name)}:${JSON.stringify(value)},`).length;
    if (size > room) continue;
    room -= size;
    kept.push([name, value]);
  }
  return Object.fromEntries(kept);
}

function isClean(value: string): boolean {
  return value.isWellFormed() && !value.includes("\0");
}
