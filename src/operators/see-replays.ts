/** Group replays: what was ordered, how far each is, how its events stand. */
import { REPLAYS_SHOWN } from "../core/limits.ts";
import type { ReplayRunSummary, ReplayRunView } from "../core/operators.ts";
import { reading } from "../store/reading.ts";
import { listReplays, readReplay } from "../store/statements/read-replays.ts";
import type { Desk } from "./desk.ts";

/** The newest. */
export function seeReplays({ db, config }: Desk): Promise<readonly ReplayRunSummary[]> {
  return reading(db, config.timings, (tx) => listReplays(tx, REPLAYS_SHOWN));
}

/** null: there is none of this id. */
export async function seeReplay({ db, config }: Desk, id: string): Promise<ReplayRunView | null> {
  return isReplayId(id) ? reading(db, config.timings, (tx) => readReplay(tx, id)) : null;
}

/** As `crypto.randomUUID` makes them. */
export function isReplayId(id: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
}
