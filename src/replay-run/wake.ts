/** The cron's part of group replays: an object that lost its alarm, or was never woken, is woken again. */
import type { Config } from "../config.ts";
import { REPLAY_RUNS_WOKEN } from "../core/limits.ts";
import { within } from "../deadline.ts";
import { errorText, log } from "../log.ts";
import type { Tx } from "../store/guard.ts";
import { runningReplays } from "../store/statements/running-replays.ts";

/** Never throws: the rest of the sweep, and its health line, do not wait for a replay. */
export async function wakeReplays(db: Tx, env: Pick<Env, "REPLAY_RUNS">, { timings }: Config): Promise<void> {
  let running: string[] = [];
  try {
    running = await runningReplays(db, REPLAY_RUNS_WOKEN);
  } catch (error) {
    log("error", "replay_group", { outcome: "not_read", error: errorText(error) });
  }
  for (const id of running) {
    try {
      await within<unknown>(timings.claimRpcMs, "replay run", env.REPLAY_RUNS.getByName(id).wake());
    } catch (error) {
      log("warn", "replay_group", { replay: id, outcome: "not_woken", error: errorText(error) });
    }
  }
}
