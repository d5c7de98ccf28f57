/** A page of events, newest first: after the cursor, whatever came or changed since the page before it. */
import { sql } from "drizzle-orm";
import type { EventCursor, EventFilter, EventSummary } from "../../core/operators.ts";
import { matching } from "../event-filter.ts";
import type { Tx } from "../guard.ts";
import { atMs, epochMs } from "./keys.ts";

export async function listEvents(db: Tx, filter: EventFilter, after: EventCursor | null, limit: number): Promise<EventSummary[]> {
  // `<=` says again what the comparison of rows implies: every index that has the time can begin there.
  const beyond =
    after === null
      ? sql`true`
      : sql`e.received_at <= ${atMs(after.receivedAtMs)}
      and (e.received_at, e.source, e.event_id) < (${atMs(after.receivedAtMs)}, ${after.source}::text, ${after.id}::text)`;
  return db.execute<Readonly<Record<string, unknown>> & EventSummary>(sql`
    select e.source, e.event_id as id, e.type, e.status, e.reason, e.after, e.attempts, e.total_attempts as "totalAttempts", e.replays,
      e.duplicates, e.mismatches, e.fingerprint, left(split_part(e.last_error, E'\n', 1), 400) as error,
      ${epochMs(sql`e.received_at`)} as "receivedAtMs",
      ${epochMs(sql`e.settled_at`)} as "settledAtMs"
    from webhook_events e
    where ${matching(filter)}
      and ${beyond}
    order by e.received_at desc, e.source desc, e.event_id desc
    limit ${limit}::int`);
}
