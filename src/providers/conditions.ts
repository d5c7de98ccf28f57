/** Pure. Whether what a page demands of a request is so. */
import type { Delivery } from "../core/delivery.ts";
import type { Condition } from "./provider.ts";

/** All of them: the text at the place is the one that is asked for, or is there at all. */
export function holds(conditions: readonly Condition[], delivery: Delivery): boolean {
  return conditions.every(({ at, is }) => {
    const text = delivery.read(at);
    return text !== null && (is === null || text === is);
  });
}
