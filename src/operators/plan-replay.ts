/** What a replay of a group would do: counted, nothing is changed. */
import type { ReplayOrder, ReplayPlan } from "../core/operators.ts";
import { reading } from "../store/reading.ts";
import { countReplayable } from "../store/statements/plan-replay.ts";
import type { Desk } from "./desk.ts";

export async function planReplay({ db, config }: Pick<Desk, "db" | "config">, order: ReplayOrder, nowMs = Date.now()): Promise<ReplayPlan> {
  const { matched, permanent, withoutBytes } = await reading(db, config.timings, (tx) => countReplayable(tx, order, nowMs));
  const willReplay = Math.min(matched - permanent - withoutBytes, order.rowLimit);
  return { matched, permanent, withoutBytes, willReplay, seconds: Math.ceil(willReplay / order.ratePerSecond) };
}
