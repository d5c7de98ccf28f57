/** Pages of events, newest first. */
import type { EventCursor, EventFilter, EventSummary } from "../core/operators.ts";
import { reading } from "../store/reading.ts";
import { listEvents } from "../store/statements/list-events.ts";
import type { Desk } from "./desk.ts";

export interface EventPage {
  readonly events: readonly EventSummary[];
  /** Where the next page begins; null: this is the last. */
  readonly next: EventCursor | null;
}

export async function seeEvents({ db, config }: Desk, filter: EventFilter, cursor: EventCursor | null, limit: number): Promise<EventPage> {
  // One more than is shown says whether there is a next page.
  const found = await reading(db, config.timings, (tx) => listEvents(tx, filter, cursor, limit + 1));
  const events = found.slice(0, limit);
  const last = events.at(-1);
  return { events, next: found.length > limit && last !== undefined ? { receivedAtMs: last.receivedAtMs, source: last.source, id: last.id } : null };
}
