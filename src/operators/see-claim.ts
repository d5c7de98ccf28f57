/** What the event's Durable Object holds. It is asked, never changed; null: it did not answer in time, or is of a version that cannot be asked. */
import { type EventKey, eventKeyText } from "../core/event.ts";
import type { ClaimView } from "../core/operators.ts";
import { within } from "../deadline.ts";
import type { Desk } from "./desk.ts";

/** What is used of the answer. Said here, since a stub's types are not the same in every world that looks at this file. */
interface Inspected {
  readonly view: ClaimView | null;
}

export async function seeClaim({ env, config }: Pick<Desk, "env" | "config">, key: EventKey): Promise<ClaimView | null> {
  try {
    const { view } = await within<Inspected>(config.timings.claimRpcMs, "claim", env.CLAIMS.getByName(eventKeyText(key)).inspect());
    return view;
  } catch {
    return null;
  }
}
