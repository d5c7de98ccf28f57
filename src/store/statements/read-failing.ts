/** Kinds of failure that some event has now: dead letters, what is tried again, afters. Those with an open alert first, so that a bound never closes one. */
import { sql } from "drizzle-orm";
import type { FailingKind } from "../../core/alerts.ts";
import type { Tx } from "../guard.ts";

export interface FailingRow extends Omit<FailingKind, "title"> {
  /** The newest one's. */
  readonly error: string | null;
}

export async function readFailing(db: Tx, limit: number): Promise<FailingRow[]> {
  return db.execute<Readonly<Record<string, unknown>> & FailingRow>(sql`
    with kinds as (
      select e.fingerprint, e.source, e.type, count(*)::int as count, max(e.received_at) as newest_at
      from webhook_events e
      where e.fingerprint is not null
        and e.status <> 'skipped'
      group by e.fingerprint, e.source, e.type
    ),
    first as (
      select k.*
      from kinds k
      left join webhook_alerts a on a.kind = 'new_failure' and a.key = k.fingerprint and a.closed_at is null
      order by a.key is null, k.count desc, k.fingerprint
      limit ${limit}::int
    )
    select f.fingerprint, f.source, f.type, f.count, x.error
    from first f
    left join lateral (
      select left(e.last_error, 2000) as error
      from webhook_events e
      where e.fingerprint = f.fingerprint
        and e.received_at = f.newest_at
        and e.status <> 'skipped'
      limit 1
    ) x on true`);
}
