/** Counts a failure, and with the last one settles the event as a dead letter: one statement, so that no crash lies between. */
import { sql } from "drizzle-orm";
import type { EventKey } from "../../core/event.ts";
import type { FailureClass } from "../../core/settlement.ts";
import { fingerprintOf } from "../fingerprint.ts";
import type { Tx } from "../guard.ts";
import { intervalMs } from "./keys.ts";

export interface CountedFailure extends EventKey {
  readonly opening: number;
  readonly class: FailureClass;
  readonly phase: string;
  readonly sqlstate: string | null;
  readonly constraint: string | null;
  readonly message: string;
  readonly stack: string | null;
  readonly dead: boolean;
  readonly reason: string;
  readonly delayMs: number;
  readonly build: string | null;
  /** The failure is that there are no bytes: it stands only while the row has none. */
  readonly unlessBody?: boolean;
}

export interface FailedRow {
  readonly status: "pending" | "failed";
  readonly attempts: number;
  readonly hasBody: boolean;
}

/** null: the row is not, or no longer, pending in this opening; whatever it is now stands. */
export async function fail(tx: Tx, failure: CountedFailure): Promise<FailedRow | null> {
  const rows = await tx.execute<Readonly<Record<string, unknown>> & FailedRow>(sql`
    with counted as (
      update webhook_events e
      set attempts = e.attempts + 1,
        total_attempts = e.total_attempts + 1,
        starts = 0,
        started_at = null,
        status = case when ${failure.dead}::boolean then 'failed' else 'pending' end,
        reason = case when ${failure.dead}::boolean then ${failure.reason}::text end,
        settled_at = case when ${failure.dead}::boolean then now() end,
        sent_at = now() + ${intervalMs(failure.delayMs)},
        last_error = ${failure.message}::text,
        fingerprint = ${fingerprintOf(sql`e.source`, sql`e.type`, failure)},
        build = ${failure.build}::text
      where e.source = ${failure.source}::text
        and e.event_id = ${failure.id}::text
        and e.status = 'pending'
        and e.opening = ${failure.opening}::bigint
        and (e.body is null or not ${failure.unlessBody ?? false}::boolean)
      returning e.source, e.event_id, e.opening, e.status, e.attempts, e.body is not null as has_body
    ),
    noted as (
      insert into webhook_attempts (source, event_id, opening, class, phase, sqlstate, constraint_name, message, stack)
      select c.source, c.event_id, c.opening, ${failure.class}::text, ${failure.phase}::text, ${failure.sqlstate}::text, ${failure.constraint}::text, ${failure.message}::text, ${failure.stack}::text
      from counted c
    )
    select c.status, c.attempts, c.has_body as "hasBody"
    from counted c`);
  return rows[0] ?? null;
}
