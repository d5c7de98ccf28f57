/** Pure. Body-less messages in batches that the queue takes: by count, and by weight at its worst. */
import { eventKeyText } from "./event.ts";
import { SEND_BATCH_BYTES, SEND_BATCH_MESSAGES } from "./limits.ts";
import type { EventMessage } from "./message.ts";
import { slicesOf } from "./slices.ts";

export function sendSlices(messages: readonly EventMessage[]): EventMessage[][] {
  return slicesOf(messages, weightOf, SEND_BATCH_BYTES, SEND_BATCH_MESSAGES);
}

/** Two bytes a unit: what v8 writes once a string holds one unit above Latin-1. */
function weightOf({ facts }: EventMessage): number {
  return 2 * (JSON.stringify(facts).length + eventKeyText(facts).length);
}
