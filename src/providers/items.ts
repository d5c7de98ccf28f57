/** Pure (it hashes). The events that one delivery carries, as the provider's page says to split it: byte slices, each with a name of its own. */
import { Delivery } from "../core/delivery.ts";
import { JsonBody } from "../core/json-body.ts";
import { sliceItems } from "../core/json-slices.ts";
import { SPLIT_ITEMS_LIMIT } from "../core/limits.ts";
import { failed, ok, type Result } from "../core/result.ts";
import { sha256Hex } from "../schemes/digest.ts";
import { DELIVERY_PREFIX, identifyItem, type ItemIdentity } from "./identify.ts";
import type { Provider, Split } from "./provider.ts";

/** The kept header of an item: the ledger id of the delivery that it came in. */
export const DELIVERY_HEADER = "holdfast-delivery";

export interface Item extends ItemIdentity {
  readonly digest: string;
  /** A view of the delivery's bytes, to the last one as they were sent. */
  readonly bytes: Uint8Array;
}

export type SplittingProvider = Provider & { readonly split: Split };

/** Whether this row of the provider's is a delivery that is still to be split, and not an event. */
export function isToSplit(provider: Provider | null, id: string): provider is SplittingProvider {
  return provider !== null && provider.split !== null && id.startsWith(DELIVERY_PREFIX);
}

export type SplitFailure =
  | { readonly reason: "not_json" }
  | { readonly reason: "array_missing"; readonly path: readonly string[] }
  | { readonly reason: "too_many_items"; readonly items: number };

/** The items in their order, also those that have the same id. */
export async function itemsOf(
  provider: SplittingProvider,
  kept: { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array },
): Promise<Result<readonly Item[], SplitFailure>> {
  const path = provider.split.items;
  const slices = sliceItems(kept.body, path);
  if (slices === null) return failed(new JsonBody(kept.body).isMalformed ? { reason: "not_json" } : { reason: "array_missing", path });
  if (slices.length > SPLIT_ITEMS_LIMIT) return failed({ reason: "too_many_items", items: slices.length });
  // Neither method nor URL is kept with an event: no reader of an item asks for them.
  const delivery = new Delivery({ method: "POST", url: "", headers: new Headers(kept.headers), body: kept.body });
  const items: Item[] = [];
  for (const bytes of slices) {
    items.push({ ...(await identifyItem(provider.split, delivery.item(bytes))), digest: await sha256Hex(bytes), bytes });
  }
  return ok(items);
}

/** One sentence for the dead letter. */
export function explainSplit(failure: SplitFailure): string {
  switch (failure.reason) {
    case "not_json":
      return "the body is not JSON in UTF-8, so the events in it cannot be told apart";
    case "array_missing":
      return failure.path.length === 0
        ? "the body is JSON, but no array of events"
        : `the body has no array of events at "${failure.path.join(".")}"`;
    case "too_many_items":
      return `the delivery carries ${failure.items} events; ${SPLIT_ITEMS_LIMIT} are the most that are split`;
  }
}

/** Whether this event was an item of a delivery: it never had a claim, so there is none to tell. */
export function isItem(provider: Provider | null, event: { readonly id: string; readonly headers: Readonly<Record<string, string>> }): boolean {
  return provider !== null && provider.split !== null && !event.id.startsWith(DELIVERY_PREFIX) && Object.hasOwn(event.headers, DELIVERY_HEADER);
}
