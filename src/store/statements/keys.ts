/** The one way in which a list of keys becomes a parameter: JSON text (array parameters need type lookups that this driver is not allowed). */
import { type SQL, sql } from "drizzle-orm";
import type { EventKey } from "../../core/event.ts";

/** `<keys> as k(source, event_id)`, for a from clause. */
export function keyRows(keys: readonly EventKey[]): SQL {
  const list = JSON.stringify(keys.map((key) => ({ source: key.source, event_id: key.id })));
  return sql`jsonb_to_recordset(${list}::text::jsonb) as k(source text, event_id text)`;
}

/** A timestamp as epoch milliseconds, the only form in which time crosses this border. */
export function epochMs(column: SQL): SQL {
  return sql`(extract(epoch from ${column}) * 1000)::float8`;
}

/** Milliseconds as an interval. */
export function intervalMs(ms: number): SQL {
  return sql`(${ms}::float8 * interval '1 millisecond')`;
}

export function atMs(ms: number | null): SQL {
  return ms === null ? sql`null::timestamptz` : sql`to_timestamp(${ms}::float8 / 1000)`;
}
