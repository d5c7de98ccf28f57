/** Since when each source is silent, and what the same stretch of time brought one and two weeks earlier: nothing where it is not. Each count ends at a bound. */
import { type SQL, sql } from "drizzle-orm";
import type { SourceHabit } from "../../core/alerts.ts";
import type { Tx } from "../guard.ts";
import { atMs, epochMs } from "./keys.ts";

/** `untilMs`: a stretch ends here, some time before now. */
export async function readHabits(db: Tx, sources: readonly string[], untilMs: number, bound: number): Promise<SourceHabit[]> {
  const inWeek = (weeks: number): SQL => sql`(
        select count(*)::int
        from (
          select
          from webhook_events e
          where e.source = s.name
            and e.received_at > l.received_at - ${weeks}::int * interval '7 days'
            and e.received_at < ${atMs(untilMs)} - ${weeks}::int * interval '7 days'
          limit ${bound}::int
        ) w
      )`;
  return db.execute<Readonly<Record<string, unknown>> & SourceHabit>(sql`
    select s.name as source, ${epochMs(sql`l.received_at`)} as "lastMs", ${inWeek(1)} as "weekAgo", ${inWeek(2)} as "twoWeeksAgo"
    from jsonb_array_elements_text(${JSON.stringify(sources)}::text::jsonb) as s(name)
    cross join lateral (
      select e.received_at
      from webhook_events e
      where e.source = s.name
      order by e.received_at desc
      limit 1
    ) l`);
}
