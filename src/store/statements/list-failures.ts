/** Dead letters by kind, the largest group first: their figures, and the newest of each to look at. */
import { sql } from "drizzle-orm";
import type { EventFilter, FailureGroup } from "../../core/operators.ts";
import { matching } from "../event-filter.ts";
import type { Tx } from "../guard.ts";
import { epochMs } from "./keys.ts";

export interface FailureRow extends Omit<FailureGroup, "title"> {
  /** The example's. */
  readonly error: string | null;
}

export async function listFailures(db: Tx, filter: Pick<EventFilter, "source" | "type">, limit: number): Promise<FailureRow[]> {
  return db.execute<Readonly<Record<string, unknown>> & FailureRow>(sql`
    with groups as (
      select e.fingerprint, e.source, e.type, count(*)::int as count,
        count(*) filter (where e.reason in ('permanent', 'unstorable'))::int as permanent,
        min(e.settled_at) as first_at,
        max(e.settled_at) as last_at,
        max(e.received_at) as newest_at
      from webhook_events e
      where e.status = 'failed'
        and e.fingerprint is not null
        and ${matching(filter)}
      group by e.fingerprint, e.source, e.type
      order by count(*) desc, e.fingerprint
      limit ${limit}::int
    )
    select g.fingerprint, g.source, g.type, g.count, g.permanent,
      ${epochMs(sql`g.first_at`)} as "firstMs",
      ${epochMs(sql`g.last_at`)} as "lastMs",
      x.event_id as "exampleId", left(x.last_error, 2000) as error
    from groups g
    cross join lateral (
      select e.event_id, e.last_error
      from webhook_events e
      where e.fingerprint = g.fingerprint
        and e.received_at = g.newest_at
        and e.status = 'failed'
      limit 1
    ) x
    order by g.count desc, g.fingerprint`);
}
