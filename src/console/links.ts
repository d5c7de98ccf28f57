/** Pure. Where the console's pages are. Ids are other people's text: every part is encoded. */
import type { EventKey } from "../core/event.ts";
import type { EventFilter } from "../core/operators.ts";

export const OVERVIEW = "/admin";
export const EVENTS = "/admin/events";
export const FAILURES = "/admin/failures";
export const REPLAYS = "/admin/replays";
export const NEW_REPLAY = "/admin/replays/new";
export const SOURCES = "/admin/sources";
export const AUDIT = "/admin/audit";
export const LOGOUT = "/admin/logout";

/** Stands for an id that no URL can have as a part of its path: browsers take `.` and `..` out, however they are written. The id is in the query then. */
export const DOTS = "~";

export function eventPath(key: EventKey, action?: "replay" | "discard" | "erase" | "payload"): string {
  const isDots = key.id === "." || key.id === "..";
  const path = `${EVENTS}/${encodeURIComponent(key.source)}/${isDots ? DOTS : encodeURIComponent(key.id)}`;
  return `${path}${action === undefined ? "" : `/${action}`}${isDots ? `?id=${key.id}` : ""}`;
}

/** The id that a path means; `queryId`: of its query. */
export function idOf(part: string, queryId: string | undefined): string {
  return part === DOTS && (queryId === "." || queryId === "..") ? queryId : part;
}

export function replayPath(id: string, action?: "cancel"): string {
  return `${REPLAYS}/${encodeURIComponent(id)}${action === undefined ? "" : `/${action}`}`;
}

/** The same page with another query; what is undefined or empty is left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined || value === "" ? [] : [[name, String(value)]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** A filter as the query of a form has it. */
export function filterQuery(filter: EventFilter): Record<string, string | undefined> {
  return {
    id: filter.idPrefix,
    status: filter.status,
    source: filter.source,
    type: filter.type,
    from: filter.fromMs === undefined ? undefined : minuteText(filter.fromMs),
    to: filter.toMs === undefined ? undefined : minuteText(filter.toMs),
    after: filter.after,
    fingerprint: filter.fingerprint,
  };
}

/** As `<input type="datetime-local">` writes it, in UTC; seconds only where there are some. */
export function minuteText(atMs: number): string {
  return new Date(atMs).toISOString().replace(/(?::00)?\.\d+Z$/, "");
}
