/** One event as operators see it; never its payload. */
import { sql } from "drizzle-orm";
import type { EventFacts, EventKey } from "../../core/event.ts";
import type { AfterStatus, EventStatus } from "../../core/settlement.ts";
import type { Tx } from "../guard.ts";
import { epochMs } from "./keys.ts";

export interface EventRow extends EventFacts {
  readonly status: EventStatus;
  readonly reason: string | null;
  readonly opening: number;
  readonly attempts: number;
  readonly totalAttempts: number;
  readonly starts: number;
  readonly startedAtMs: number | null;
  readonly replays: number;
  readonly duplicates: number;
  readonly mismatches: number;
  /** The id that the same bytes came under before; null: none was seen. */
  readonly suspectedReplayOf: string | null;
  readonly settledAtMs: number | null;
  /** When its next message is, or was, due. */
  readonly sentAtMs: number;
  readonly after: AfterStatus;
  readonly afterAttempts: number;
  readonly hasBody: boolean;
  readonly lastError: string | null;
  readonly fingerprint: string | null;
  readonly build: string | null;
}

export async function readEvent(db: Tx, key: EventKey): Promise<EventRow | null> {
  const rows = await db.execute<Readonly<Record<string, unknown>> & EventRow>(sql`
    select e.source, e.event_id as id, e.type, e.status, e.reason, e.opening::float8 as opening, e.attempts, e.total_attempts as "totalAttempts",
      e.starts, e.replays, e.duplicates, e.mismatches, e.suspected_replay_of as "suspectedReplayOf", e.after, e.after_attempts as "afterAttempts", e.digest, e.content_type as "contentType",
      e.headers, e.body is not null as "hasBody", coalesce(octet_length(e.body), 0) as "bytesLength", e.last_error as "lastError", e.fingerprint, e.build,
      ${epochMs(sql`e.received_at`)} as "receivedAtMs",
      ${epochMs(sql`e.occurred_at`)} as "occurredAtMs",
      ${epochMs(sql`e.settled_at`)} as "settledAtMs",
      ${epochMs(sql`e.started_at`)} as "startedAtMs",
      ${epochMs(sql`e.sent_at`)} as "sentAtMs"
    from webhook_events e
    where e.source = ${key.source}::text
      and e.event_id = ${key.id}::text`);
  return rows[0] ?? null;
}
