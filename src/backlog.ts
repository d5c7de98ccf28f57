/** How many messages wait in the queue. */
import { within } from "./deadline.ts";

const METRICS_LIMIT_MS = 2_000;

/** null: the queue did not say. */
export async function backlogOf({ EVENTS }: Pick<Env, "EVENTS">): Promise<number | null> {
  try {
    return (await within(METRICS_LIMIT_MS, "the queue's metrics", EVENTS.metrics())).backlogCount;
  } catch {
    return null;
  }
}
