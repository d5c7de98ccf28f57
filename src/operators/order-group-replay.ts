/** Many events again, by one order: its row is written here, `ReplayRun` works through it. */
import type { Operator, ReplayOrder, ReplayRunView } from "../core/operators.ts";
import { readReason } from "../core/orders.ts";
import { failed, ok, type Result } from "../core/result.ts";
import { within } from "../deadline.ts";
import { errorText, log } from "../log.ts";
import { cancelReplay } from "../store/statements/cancel-replay.ts";
import { startReplay } from "../store/statements/start-replay.ts";
import type { Desk } from "./desk.ts";
import { planReplay } from "./plan-replay.ts";
import type { OrderRefusal } from "./refusal.ts";
import { isReplayId, seeReplay } from "./see-replays.ts";

export async function orderGroupReplay(desk: Desk, operator: Operator, wish: ReplayOrder): Promise<Result<ReplayRunView, OrderRefusal>> {
  const order = { ...wish, reason: readReason(wish.reason) };
  const nowMs = Date.now();
  const id = crypto.randomUUID();
  await startReplay(desk.db, id, operator, order, await planReplay(desk, order, nowMs), nowMs);
  log("info", "replay_group", { replay: id, outcome: "started" });
  try {
    await within<unknown>(desk.config.timings.claimRpcMs, "replay run", desk.env.REPLAY_RUNS.getByName(id).wake());
  } catch (error) {
    // The row stands: the cron wakes it.
    log("warn", "replay_group", { replay: id, outcome: "not_woken", error: errorText(error) });
  }
  return seen(desk, id);
}

export async function orderCancel(desk: Desk, operator: Operator, id: string): Promise<Result<ReplayRunView, OrderRefusal>> {
  if (!isReplayId(id)) return failed({ reason: "unknown_replay", id });
  const isCancelled = await cancelReplay(desk.db, id, operator);
  const run = await seen(desk, id);
  if (!run.ok || isCancelled || run.value.status === "running") return run;
  return failed({ reason: "replay_ended", status: run.value.status });
}

async function seen(desk: Desk, id: string): Promise<Result<ReplayRunView, OrderRefusal>> {
  const run = await seeReplay(desk, id);
  return run === null ? failed({ reason: "unknown_replay", id }) : ok(run);
}
