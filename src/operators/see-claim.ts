/** What the event's Durable Object holds. It is asked, never changed; null: it did not answer in time, or is of a version that cannot be asked. */
import { type EventKey, eventKeyText } from "../core/event.ts";
import type { ClaimView } from "../core/operators.ts";
import { within } from "../deadline.ts";
import type { Desk } from "./desk.ts";

export async function seeClaim({ env, config }: Pick<Desk, "env" | "config">, key: EventKey): Promise<ClaimView | null> {
  try {
    return (await within(config.timings.claimRpcMs, "claim", env.CLAIMS.getByName(eventKeyText(key)).inspect())).view;
  } catch {
    return null;
  }
}
