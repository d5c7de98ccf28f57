/** Pure. What would be replayed, by kind: the same source, type and error. Is it one broken handler, or many things? */
import { errorTitle } from "../../src/core/fingerprint.ts";
import type { EventSummary } from "../../src/core/operators.ts";

export interface Kind {
  /** null: it did not fail, it was skipped. */
  readonly fingerprint: string | null;
  readonly source: string;
  readonly type: string;
  /** The error in words, without its values; else the reason. */
  readonly title: string;
  readonly count: number;
  /** How many of them ended by a PermanentError or bad data. */
  readonly permanent: number;
  /** One of them, to look at. */
  readonly exampleId: string;
}

export interface SeenKinds {
  readonly kinds: readonly Kind[];
  /** Whether these are all that match, or the newest. */
  readonly isAll: boolean;
}

/** The largest first. Of skipped events those alone that a replay of a group opens: nothing was there to handle them. */
export function kindsOf(events: readonly EventSummary[]): readonly Kind[] {
  const kinds = new Map<string, Kind>();
  for (const event of events) {
    if (event.status === "skipped" && event.reason !== "no_handler") continue;
    const { source, type, fingerprint, reason } = event;
    const key = JSON.stringify([source, type, fingerprint ?? reason]);
    const title = event.error === null ? (reason ?? "no reason") : errorTitle(event.error);
    const known = kinds.get(key) ?? { fingerprint, source, type, title, count: 0, permanent: 0, exampleId: event.id };
    const isPermanent = event.status === "failed" && (reason === "permanent" || reason === "unstorable");
    kinds.set(key, { ...known, count: known.count + 1, permanent: known.permanent + (isPermanent ? 1 : 0) });
  }
  return [...kinds.values()].toSorted((a, b) => b.count - a.count);
}
