/** Writes down what came of events that ran, in the transaction that holds their effects. */
import { sql } from "drizzle-orm";
import type { EventKey } from "../../core/event.ts";
import type { Tx } from "../guard.ts";

export interface Settled extends EventKey {
  /** As seen under the lock: the write re-asserts it. */
  readonly opening: number;
  readonly status: "completed" | "skipped";
  readonly reason: string | null;
  readonly after: "none" | "owed";
  readonly result: unknown;
  /** Another event of the source with the same bytes; null: none was found. */
  readonly suspectedReplayOf: string | null;
}

/** Fails, and with it the effects, when a row is no longer what was seen under its lock. */
export async function settle(tx: Tx, events: readonly Settled[], build: string | null): Promise<void> {
  const list = JSON.stringify(
    events.map((e) => ({
      source: e.source,
      event_id: e.id,
      opening: e.opening,
      status: e.status,
      reason: e.reason,
      after: e.after,
      result: e.result ?? null,
      suspected_replay_of: e.suspectedReplayOf,
    })),
  );
  const written = await tx.execute(sql`
    update webhook_events e
    set status = s.status,
      reason = s.reason,
      settled_at = now(),
      starts = 0,
      started_at = null,
      after = s.after,
      after_result = s.result,
      after_attempts = 0,
      last_error = null,
      fingerprint = null,
      suspected_replay_of = coalesce(s.suspected_replay_of, e.suspected_replay_of),
      build = ${build}::text
    from jsonb_to_recordset(${list}::text::jsonb) as s(source text, event_id text, opening bigint, status text, reason text, after text, result jsonb, suspected_replay_of text)
    where e.source = s.source
      and e.event_id = s.event_id
      -- Pending, said so that no plan walks the index of all open rows instead of these keys.
      and e.status not in ('completed', 'skipped', 'failed')
      and e.opening = s.opening
    returning e.source`);
  if (written.length !== events.length) throw new Error(`settled ${written.length} of ${events.length} locked rows`);
}
