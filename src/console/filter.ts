/** Pure. The query of a page of events: lenient with what is left empty, plain about what it cannot read. */
import { EVENT_ID_LIMIT_BYTES, SOURCE_NAME_LIMIT_BYTES, TYPE_LIMIT_BYTES } from "../core/limits.ts";
import { momentMs } from "../core/moments.ts";
import type { EventFilter } from "../core/operators.ts";
import type { AfterStatus, EventStatus } from "../core/settlement.ts";
import { isStorable } from "../operators/event-query.ts";

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
  const storable = (name: string, limitBytes: number): string | undefined => {
    const given = text(name);
    if (given === undefined || isStorable(given, limitBytes)) return given;
    problems.push(`${name} is at most ${limitBytes} bytes of text`);
    return undefined;
  };
  const fingerprint = (): string | undefined => {
    const given = text("fingerprint");
    if (given === undefined || /^[0-9a-f]{12}$/.test(given)) return given;
    problems.push("a kind of failure is 12 hex digits, as the dead letters show it");
    return undefined;
  };
  const moment = (name: string): number | undefined => {
    const given = text(name);
    if (given === undefined) return undefined;
    const atMs = momentMs(given);
    if (atMs === null) problems.push(`${name} is a time such as 2026-11-30T10:00, in UTC`);
    return atMs ?? undefined;
  };
  const filter: Record<keyof EventFilter, unknown> = {
    idPrefix: storable("id", EVENT_ID_LIMIT_BYTES),
    status: oneOf("status", STATUSES),
    source: storable("source", SOURCE_NAME_LIMIT_BYTES),
    type: storable("type", TYPE_LIMIT_BYTES),
    fromMs: moment("from"),
    toMs: moment("to"),
    after: oneOf("after", AFTERS),
    fingerprint: fingerprint(),
  };
  return { filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as EventFilter, problems };
}

export function hasConditions(filter: EventFilter): boolean {
  return Object.keys(filter).length > 0;
}
