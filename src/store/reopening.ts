/** What an order to try again makes of a row `e` that it holds as `h`: the event is open for work, or its `after` alone is owed again. */
import { type SQL, sql } from "drizzle-orm";

/** Of `h`: `after_alone`. The opening is the order's, so that messages of earlier ones are stale. */
export const reopened = (orderedAtMs: number): SQL => sql`
      status = case when h.after_alone then e.status else 'pending' end,
      reason = case when h.after_alone then e.reason end,
      opening = greatest(e.opening + 1, ${orderedAtMs}::bigint),
      attempts = case when h.after_alone then e.attempts else 0 end,
      starts = 0,
      started_at = null,
      settled_at = case when h.after_alone then e.settled_at end,
      after = case when h.after_alone then 'owed' else 'none' end,
      after_result = case when h.after_alone then e.after_result end,
      after_attempts = 0,
      replays = e.replays + 1,
      sent_at = now()`;
