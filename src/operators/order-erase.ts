/** A privacy request: the payload of a settled event goes from the ledger, then from its object. Given again, it erases again. */
import { eventKeyText, type EventKey } from "../core/event.ts";
import type { Operator } from "../core/operators.ts";
import { readReason } from "../core/orders.ts";
import { failed, ok, type Result } from "../core/result.ts";
import { within } from "../deadline.ts";
import { errorText, log } from "../log.ts";
import { erase, type ErasedRow } from "../store/statements/erase.ts";
import { readEvent } from "../store/statements/read-event.ts";
import type { Desk } from "./desk.ts";
import { isKey } from "./key.ts";
import type { OrderRefusal } from "./refusal.ts";

export interface Erased {
  /** The delivery of several events that it came in, whose bytes are erased too; null: it came alone. */
  readonly delivery: string | null;
  /** Ids whose copy may be left, since their row is open for work or their object did not answer: the order has to be given again. */
  readonly left: readonly string[];
}

/** What is used of the answer. Said here, since a stub's types are not the same in every world that looks at this file. */
interface Told {
  readonly error: string | null;
}

/** The row first: a claim that is told of an end which the row then does not have would answer `done` to a redelivery that is needed. */
export async function orderErase(desk: Desk, operator: Operator, key: EventKey, why: string): Promise<Result<Erased, OrderRefusal>> {
  const reason = readReason(why);
  if (reason === null) return failed({ reason: "reason_missing" });
  if (!isKey(key)) return failed({ reason: "unknown_event", key });
  const row = await erase(desk.db, key, operator, { reason });
  if (row === null) return failed((await readEvent(desk.db, key)) === null ? { reason: "unknown_event", key } : { reason: "not_settled" });
  const left = (await eraseClaim(desk, key, row)) ? [] : [key.id];
  if (row.delivery !== null && !(await eraseDelivery(desk, operator, { source: key.source, id: row.delivery }, { reason, with: key.id }))) {
    left.push(row.delivery);
  }
  log("info", "erased", { source: key.source, eventId: key.id, outcome: left.length === 0 ? "erased" : "copy_left" });
  return ok({ delivery: row.delivery, left });
}

async function eraseDelivery(desk: Desk, operator: Operator, key: EventKey, details: Readonly<Record<string, unknown>>): Promise<boolean> {
  const row = await erase(desk.db, key, operator, details);
  if (row !== null) return eraseClaim(desk, key, row);
  return (await readEvent(desk.db, key)) === null;
}

/** Twice: a stub that met a reset stays dead. */
async function eraseClaim({ env, config }: Desk, key: EventKey, { opening }: ErasedRow): Promise<boolean> {
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      const { error } = await within<Told>(config.timings.claimRpcMs, "claim.erase", env.CLAIMS.getByName(eventKeyText(key)).erase({ opening }));
      if (error === null) return true;
      log("warn", "claim_not_erased", { source: key.source, eventId: key.id, attempt, error });
    } catch (thrown) {
      log("warn", "claim_not_erased", { source: key.source, eventId: key.id, attempt, error: errorText(thrown) });
    }
  }
  return false;
}
