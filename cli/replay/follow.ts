/** Watches a replay that the instance works through, until its events are settled, or for as long as was asked. It goes on whoever watches. */
import { setTimeout as pause } from "node:timers/promises";
import type { RunView } from "./api.ts";

export interface Watch {
  /** Asks the instance; a refusal throws. */
  readonly read: (id: string) => Promise<RunView>;
  readonly show: (run: RunView) => void;
  /** Once for each silence. */
  readonly missed: (why: string) => void;
  readonly everyMs: number;
  /** After the last was opened: for what is still at work. */
  readonly waitMs: number;
  /** Questions in a row without an answer, after which nobody goes on asking. */
  readonly missesLimit: number;
  readonly interrupted: AbortSignal;
}

/** How it stood when last seen. Throws when the instance did not answer any more. */
export async function follow(begun: RunView, watch: Watch): Promise<RunView> {
  let run = begun;
  let overSinceMs: number | null = null;
  let misses = 0;
  for (;;) {
    watch.show(run);
    if (run.status !== "running") {
      overSinceMs ??= Date.now();
      if (run.outcomes.pending === 0 || Date.now() - overSinceMs >= watch.waitMs) return run;
    }
    await pause(watch.everyMs, undefined, { signal: watch.interrupted }).catch(() => undefined);
    if (watch.interrupted.aborted) return run;
    try {
      run = await watch.read(run.id);
      misses = 0;
    } catch (error) {
      misses++;
      const why = error instanceof Error ? error.message : String(error);
      if (misses >= watch.missesLimit)
        throw new Error(`${why} The replay ${run.id} goes on there, its progress is not seen from here.`, { cause: error });
      if (misses === 1) watch.missed(why);
    }
  }
}
