/** An event's bytes, to the last bit; null: none are kept, or there is no such event. */
import type { EventKey } from "../core/event.ts";
import { BODY_LIMIT_BYTES } from "../core/limits.ts";
import { reading } from "../store/reading.ts";
import { readBody } from "../store/statements/read-body.ts";
import type { Desk } from "./desk.ts";

export function seePayload({ db, config }: Desk, key: EventKey): Promise<Uint8Array | null> {
  return reading(db, config.timings, (tx) => readBody(tx, key, BODY_LIMIT_BYTES));
}
