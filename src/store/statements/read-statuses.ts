/** Where many events stand, without locking anything. */
import { sql } from "drizzle-orm";
import type { EventKey } from "../../core/event.ts";
import type { AfterStatus, EventStatus } from "../../core/settlement.ts";
import type { Tx } from "../guard.ts";
import { keyRows } from "./keys.ts";

export interface StatusRow extends EventKey {
  readonly status: EventStatus;
  readonly after: AfterStatus;
  readonly opening: number;
  readonly hasBody: boolean;
}

/** Keys without a row are not in the answer. */
export async function readStatuses(db: Tx, keys: readonly EventKey[]): Promise<StatusRow[]> {
  return db.execute<Readonly<Record<string, unknown>> & StatusRow>(sql`
    select e.source, e.event_id as id, e.status, e.after, e.opening::float8 as opening, e.body is not null as "hasBody"
    from webhook_events e
    where (e.source, e.event_id) in (select k.source, k.event_id from ${keyRows(keys)})`);
}
