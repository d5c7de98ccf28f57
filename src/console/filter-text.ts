/** Pure. What a group replay is of, in words: "dead letters of stripe, type charge.failed, received from ...". */
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
  return conditions.length === 0 ? `all ${whatText(filter)}` : `${whatText(filter)} ${conditions.join(", ")}`;
}

/** As `replayable` of src/store takes the two. */
function whatText({ status, after }: EventFilter): string {
  if (after === "failed") return "afters that were given up";
  if (status === "skipped") return "events that no handler was there for";
  return status === "failed" ? "dead letters" : "dead letters and given-up afters";
}
