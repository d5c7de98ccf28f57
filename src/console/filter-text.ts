/** Pure. A filter in words: "dead letters of stripe, type charge.failed, received from ...". */
import type { EventFilter } from "../core/operators.ts";
import { utcText } from "./format.ts";

export function filterText(filter: EventFilter): string {
  const conditions = [
    ...(filter.source === undefined ? [] : [`of ${filter.source}`]),
    ...(filter.type === undefined ? [] : [`type ${filter.type}`]),
    ...(filter.fingerprint === undefined ? [] : [`kind ${filter.fingerprint}`]),
    ...(filter.idPrefix === undefined ? [] : [`id begins with ${filter.idPrefix}`]),
    ...(filter.fromMs === undefined ? [] : [`received from ${utcText(filter.fromMs)} UTC`]),
    ...(filter.toMs === undefined ? [] : [`before ${utcText(filter.toMs)} UTC`]),
  ];
  const what = filter.after === "failed" ? "afters that were given up" : "dead letters";
  return conditions.length === 0 ? `all ${what}` : `${what} ${conditions.join(", ")}`;
}
