/** Many messages for what the ledger holds, in as few sends as the platform allows. Never throws: what the queue refuses, the sweep sends later. */
import { REFUSED_BATCHES_LIMIT } from "./core/limits.ts";
import type { EventMessage } from "./core/message.ts";
import { sendSlices } from "./core/send-slices.ts";
import type { Timings } from "./core/timings.ts";
import { within } from "./deadline.ts";
import { errorText } from "./log.ts";

export interface Sent {
  readonly sent: readonly EventMessage[];
  readonly unsent: readonly EventMessage[];
  /** What the last refusal said; null: there was none. */
  readonly error: string | null;
}

export async function sendMessages(
  queue: Pick<Queue, "sendBatch">,
  messages: readonly EventMessage[],
  timings: Pick<Timings, "relaySendMs">,
): Promise<Sent> {
  const sent: EventMessage[] = [];
  const unsent: EventMessage[] = [];
  let error: string | null = null;
  let refusals = 0;
  for (const slice of sendSlices(messages)) {
    if (refusals >= REFUSED_BATCHES_LIMIT) {
      unsent.push(...slice);
      continue;
    }
    try {
      await within(timings.relaySendMs, "queue.sendBatch", queue.sendBatch(slice.map((body) => ({ body, contentType: "v8" as const }))));
      sent.push(...slice);
      refusals = 0;
    } catch (thrown) {
      error = errorText(thrown);
      unsent.push(...slice);
      refusals++;
    }
  }
  return { sent, unsent, error };
}
