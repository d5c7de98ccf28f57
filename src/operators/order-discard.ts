/** A dead letter is let rest, with the reason. */
import type { EventKey } from "../core/event.ts";
import type { Operator } from "../core/operators.ts";
import { readReason } from "../core/orders.ts";
import { failed, ok, type Result } from "../core/result.ts";
import { log } from "../log.ts";
import { discard, type DiscardedRow } from "../store/statements/discard.ts";
import { readEvent } from "../store/statements/read-event.ts";
import type { Desk } from "./desk.ts";
import { isKey } from "./key.ts";
import type { OrderRefusal } from "./refusal.ts";

export async function orderDiscard(desk: Desk, operator: Operator, key: EventKey, why: string): Promise<Result<DiscardedRow, OrderRefusal>> {
  const reason = readReason(why);
  if (reason === null) return failed({ reason: "reason_missing" });
  if (!isKey(key)) return failed({ reason: "unknown_event", key });
  const discarded = await discard(desk.db, key, { operator, reason });
  if (discarded === null) {
    const event = await readEvent(desk.db, key);
    return failed(event === null ? { reason: "unknown_event", key } : { reason: "not_failed", status: event.status });
  }
  log("info", "discarded", { source: key.source, eventId: key.id, outcome: discarded.what });
  return ok(discarded);
}
