/** Pure. Body-less messages in batches that the queue takes: by count, and by weight at its worst. */
import { eventKeyText } from "./event.ts";
import { SEND_BATCH_BYTES, SEND_BATCH_MESSAGES } from "./limits.ts";
import type { EventMessage } from "./message.ts";

export function sendSlices(messages: readonly EventMessage[]): EventMessage[][] {
  const all: EventMessage[][] = [];
  let weight = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    // Two bytes a unit: what v8 writes once a string holds one unit above Latin-1.
    const own = 2 * (JSON.stringify(message.facts).length + eventKeyText(message.facts).length);
    if (weight + own > SEND_BATCH_BYTES || (all.at(-1)?.length ?? 0) >= SEND_BATCH_MESSAGES) {
      all.push([]);
      weight = 0;
    }
    all.at(-1)?.push(message);
    weight += own;
  }
  return all;
}
