/** Makes the signed requests of one event: the provider's sample, or the bytes of a file. */
import { randomBytes } from "node:crypto";
import type { Provider } from "../../src/providers/provider.ts";
import { JsonBody, read } from "../../src/providers/readers.ts";
import { sign } from "../../src/schemes/scheme.ts";
import type { MakeSample } from "../samples/sample.ts";

export interface EventSpec {
  readonly provider: Provider;
  readonly makeSample: MakeSample;
  readonly type: string | undefined;
  readonly id: string;
  readonly user: string;
  readonly amount: number;
  readonly reference: string | undefined;
  readonly file: Uint8Array | null;
}

export interface SignedEvent {
  /** As the receiver will read it. */
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

export async function signedEvent(spec: EventSpec, url: string, secret: string, nowMs: number): Promise<SignedEvent> {
  const { id, user, amount, reference } = spec;
  const sample = spec.makeSample(spec.type, { id, user, amount, reference });
  const body = Uint8Array.from(spec.file ?? new TextEncoder().encode(JSON.stringify(sample.body)));
  const signature = await sign(spec.provider.scheme, { method: "POST", url, id, timestampMs: nowMs, body }, secret);
  const headers = { ...sample.headers, ...signature };
  return { id: idOf(spec, headers, body), headers, body };
}

/** The same request as somebody without the secret would make it. */
export async function forgedEvent(spec: EventSpec, url: string, nowMs: number): Promise<SignedEvent> {
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  return signedEvent(spec, url, secret, nowMs);
}

/** The bytes of a file are sent as they are, so the file's own id counts where the provider keeps it in the body. */
function idOf(spec: EventSpec, headers: Readonly<Record<string, string>>, bytes: Uint8Array): string {
  const body = new JsonBody(bytes);
  const all = new Headers(headers);
  for (const reader of spec.provider.id) {
    const found = read(reader, all, body);
    if (found !== null && found.trim() !== "") return found;
  }
  const places = spec.provider.id.map((one) =>
    "json" in one ? `"${one.json.join(".")}" in the body` : "header" in one ? `the header ${one.header}` : one.literal,
  );
  throw new Error(`--file has no event id: ${spec.provider.name} keeps it in ${places.join(" or ")}.`);
}
