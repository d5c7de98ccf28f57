/** Pure. The query of a page of events: lenient with what is left empty, plain about what it cannot read. */
import type { EventFilter } from "../core/operators.ts";
import type { AfterStatus, EventStatus } from "../core/settlement.ts";

export const STATUSES: readonly EventStatus[] = ["pending", "completed", "skipped", "failed"];
export const AFTERS: readonly AfterStatus[] = ["owed", "done", "failed"];

export type Query = Readonly<Record<string, string | undefined>>;

export interface ReadFilter {
  readonly filter: EventFilter;
  /** What was not understood, and so is not applied, in words. */
  readonly problems: readonly string[];
}

export function readFilter(query: Query): ReadFilter {
  const problems: string[] = [];
  const text = (name: string) => query[name]?.trim() || undefined;
  const oneOf = <Value extends string>(name: string, values: readonly Value[]): Value | undefined => {
    const given = text(name);
    const known = values.find((value) => value === given);
    if (given !== undefined && known === undefined) problems.push(`${name} can be ${values.join(", ")}`);
    return known;
  };
  const moment = (name: string): number | undefined => {
    const given = text(name);
    if (given === undefined) return undefined;
    // Without a zone it is UTC: the form's own format has none.
    const atMs = Date.parse(/[zZ]$|[+-]\d\d:\d\d$/.test(given) || !given.includes("T") ? given : `${given}Z`);
    if (Number.isNaN(atMs)) problems.push(`${name} is a time such as 2026-11-30T10:00, in UTC`);
    return Number.isNaN(atMs) ? undefined : atMs;
  };
  const filter: Record<keyof EventFilter, unknown> = {
    idPrefix: text("id"),
    status: oneOf("status", STATUSES),
    source: text("source"),
    type: text("type"),
    fromMs: moment("from"),
    toMs: moment("to"),
    after: oneOf("after", AFTERS),
    fingerprint: text("fingerprint"),
  };
  return { filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as EventFilter, problems };
}

export function hasConditions(filter: EventFilter): boolean {
  return Object.keys(filter).length > 0;
}
