/** What a replay of a group would find now. */
import { sql } from "drizzle-orm";
import type { ReplayOrder } from "../../core/operators.ts";
import type { Tx } from "../guard.ts";
import { isPermanent, replayable } from "../replayable.ts";

export interface ReplayCounts {
  readonly matched: number;
  readonly permanent: number;
  readonly withoutBytes: number;
}

export async function countReplayable(db: Tx, { filter, withPermanent }: ReplayOrder, nowMs: number): Promise<ReplayCounts> {
  const leftOut = withPermanent ? sql`false` : isPermanent;
  const rows = await db.execute<Readonly<Record<string, unknown>> & ReplayCounts>(sql`
    select count(*)::int as matched,
      count(*) filter (where ${leftOut})::int as permanent,
      count(*) filter (where e.body is null and not ${leftOut})::int as "withoutBytes"
    from webhook_events e
    where ${replayable(filter, nowMs)}`);
  return rows[0] ?? { matched: 0, permanent: 0, withoutBytes: 0 };
}
