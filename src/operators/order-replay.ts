/** One event again, by order: opened in the ledger, then sent; what the queue refuses, the sweep sends. */
import type { EventKey } from "../core/event.ts";
import { messageForRow } from "../core/message.ts";
import type { Operator } from "../core/operators.ts";
import { readReason } from "../core/orders.ts";
import { failed, ok, type Result } from "../core/result.ts";
import { log } from "../log.ts";
import { sendMessages } from "../send-messages.ts";
import { type EventRow, readEvent } from "../store/statements/read-event.ts";
import { replay, type ReplayedRow } from "../store/statements/replay.ts";
import type { Desk } from "./desk.ts";
import { isKey } from "./key.ts";
import type { OrderRefusal } from "./refusal.ts";

export interface ReplayWish {
  /** A completed event too: its effect happens once more. */
  readonly force: boolean;
  readonly reason: string | null;
}

export interface Replayed extends ReplayedRow {
  /** false: the queue refused the message; the sweep sends it within the hour. */
  readonly isSent: boolean;
}

export async function orderReplay(desk: Desk, operator: Operator, key: EventKey, wish: ReplayWish): Promise<Result<Replayed, OrderRefusal>> {
  if (!isKey(key)) return failed({ reason: "unknown_event", key });
  const { db, env, config } = desk;
  const replayed = await replay(db, key, { operator, force: wish.force, reason: readReason(wish.reason) }, Date.now());
  const event = await readEvent(db, key);
  if (event === null) return failed({ reason: "unknown_event", key });
  if (replayed === null) return failed(whyNot(event, wish.force));
  const { opening, what } = replayed;
  log("info", "replay", { source: key.source, eventId: key.id, type: event.type, opening, outcome: what });
  const { error } = await sendMessages(env.EVENTS, [messageForRow({ ...event, opening })], config.timings);
  if (error !== null) log("warn", "replay", { source: key.source, eventId: key.id, opening, outcome: "send_refused", error });
  return ok({ opening, what, isSent: error === null });
}

function whyNot(event: EventRow, force: boolean): OrderRefusal {
  if (event.status === "pending" || (force && event.after === "owed")) return { reason: "already_pending" };
  if (!event.hasBody) return { reason: "no_bytes" };
  if (event.status === "completed" && event.after !== "owed") return { reason: "completed_needs_force" };
  return { reason: "nothing_to_replay", status: event.status, after: event.after };
}
