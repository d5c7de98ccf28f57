/** Makes the signed request of one event, and says which events the receiver will read in it. No Node: tests make theirs with it in workerd. */
import { Delivery, placeOf } from "../../src/core/delivery.ts";
import { identify } from "../../src/providers/identify.ts";
import { explainSplit, isToSplit, itemsOf } from "../../src/providers/items.ts";
import type { Provider } from "../../src/providers/provider.ts";
import type { IdReader } from "../../src/providers/readers.ts";
import type { Sample } from "../../src/providers/sample.ts";
import { sign, type Signed, type SigningKeys } from "../../src/schemes/scheme.ts";

export interface Outbound {
  readonly provider: Provider;
  /** The provider's headers and query. */
  readonly sample: Pick<Sample, "headers" | "query">;
  readonly body: Uint8Array;
  readonly id: string;
  /** What the receiver takes for its URL, without a query. */
  readonly url: string;
  readonly timestampMs: number;
}

export function signed({ provider, sample, body, id, url, timestampMs }: Outbound, keys: SigningKeys): Promise<Signed> {
  const outgoing = { method: "POST", url: `${url}${sample.query ?? ""}`, headers: sample.headers, body, id, timestampMs };
  return sign(provider.scheme, outgoing, keys);
}

export interface ReadEvent {
  readonly id: string;
  readonly type: string;
}

export interface Read {
  /** The row of the delivery: the event itself, or `delivery:...` where it is split. */
  readonly id: string;
  /** As the ledger will hold them. */
  readonly events: readonly ReadEvent[];
}

/** By the code that the Worker reads with. Throws, in words, where it would find no event. */
export async function readEvents(provider: Provider, request: Signed): Promise<Read> {
  const identity = await identify(provider, new Delivery({ ...request, headers: new Headers(request.headers) }));
  if (!identity.ok) {
    const places = provider.id.map(placesOf).join(" or ");
    throw new Error(
      identity.failure === "malformed_payload"
        ? `the body is not JSON, and ${provider.title} keeps the event's id in ${places}`
        : `there is no event id: ${provider.title} keeps it in ${places}`,
    );
  }
  const { id, type } = identity.value;
  if (!isToSplit(provider, id)) return { id, events: [{ id, type }] };
  const items = await itemsOf(provider, request);
  if (!items.ok) throw new Error(`${provider.title} sends several events in one delivery, but ${explainSplit(items.failure)}`);
  const named = new Map(items.value.map((item) => [item.id, { id: item.id, type: item.type }]));
  return { id, events: [...named.values()] };
}

function placesOf(reader: IdReader): string {
  if ("digest" in reader) return "the body's digest";
  if ("each" in reader) return "nothing: each delivery gets a new one";
  return "compound" in reader ? reader.compound.map(placeOf).join(" and ") : placeOf(reader);
}
