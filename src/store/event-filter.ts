/** An EventFilter as a condition on `webhook_events e`: the one translation, for lists, counts and replays alike. */
import { type SQL, sql } from "drizzle-orm";
import type { EventFilter } from "../core/operators.ts";
import { afterPrefix } from "../core/prefix.ts";
import { atMs } from "./statements/keys.ts";

/** `true` where the filter asks for nothing. Every text is bounded, well-formed and without NUL: whoever read it from a request has seen to that. */
export function matching(filter: EventFilter): SQL {
  const conditions: SQL[] = [];
  const is = (column: string, value: string | undefined): void => {
    if (value !== undefined) conditions.push(sql`${sql.raw(column)} = ${value}::text`);
  };
  is("e.status", filter.status);
  is("e.after", filter.after);
  is("e.source", filter.source);
  is("e.type", filter.type);
  is("e.fingerprint", filter.fingerprint);
  if (filter.fromMs !== undefined) conditions.push(sql`e.received_at >= ${atMs(filter.fromMs)}`);
  if (filter.toMs !== undefined) conditions.push(sql`e.received_at < ${atMs(filter.toMs)}`);
  if (filter.idPrefix !== undefined) conditions.push(...beginsWith(filter.idPrefix));
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** In the bytes' order (`~>=~`), which webhook_events_id has: `like` would use it only with a pattern that the planner can read. */
function beginsWith(prefix: string): SQL[] {
  const end = afterPrefix(prefix);
  const from = sql`e.event_id ~>=~ ${prefix}::text`;
  return end === null ? [from] : [from, sql`e.event_id ~<~ ${end}::text`];
}
