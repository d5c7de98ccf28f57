/** The way around an unreachable claim: the message straight to the queue, a body too large for one through the ledger (DESIGN 3.2). */
import type { Config } from "../config.ts";
import type { VerifiedEvent } from "../core/event.ts";
import { encodeMessage, fitsMessage } from "../core/message.ts";
import { within } from "../deadline.ts";
import { faultPoint } from "../fault-points.ts";
import { errorText } from "../log.ts";
import { openClient } from "../store/client.ts";
import { admit } from "../store/statements/admit.ts";

/** Whether the event is durable somewhere; `error`: what failed on the way, also where the event is stored all the same. */
export interface DirectResult {
  readonly isStored: boolean;
  readonly error: string | null;
}

export async function storeDirectly(env: Pick<Env, "EVENTS" | "HYPERDRIVE">, event: VerifiedEvent, config: Config): Promise<DirectResult> {
  const { bytes, ...facts } = event;
  const opening = event.receivedAtMs;
  const isInline = fitsMessage(facts);
  let isOpen = false;
  if (!isInline) {
    const client = openClient(env.HYPERDRIVE, config.timings);
    try {
      isOpen = await within(config.timings.directSendMs, "ledger", admit(client.db, facts, opening, bytes));
      if (FAULTS) await faultPoint("ingest.direct_row");
    } catch (error) {
      client.abandon("the direct path is over");
      return { isStored: false, error: errorText(error) };
    }
  }
  try {
    const message = encodeMessage({ facts, opening, direct: true, duplicates: 0, mismatches: 0, bytes });
    await within(config.timings.directSendMs, "queue.send", env.EVENTS.send(message, { contentType: "v8" }));
    if (FAULTS) await faultPoint("ingest.direct_sent");
    return { isStored: true, error: null };
  } catch (error) {
    // With its row open (or done) the event is stored: the sweep sends what this did not. Nobody sends a dead letter.
    return { isStored: isOpen, error: errorText(error) };
  }
}
