/** Pure. Which successes are logged: decided by the event alone, so that of one event all lines are there, or none. */
import { type EventKey, eventKeyText } from "./event.ts";

const HASHES = 2 ** 32;

/** `rate`: the share of events that are logged, 0 to 1. */
export function isSampled(key: EventKey, rate: number): boolean {
  if (rate >= 1) return true;
  // FNV-1a, then mixed (its high bits alone say little about the end of a text): ids that differ in one character must not go together.
  let hash = 0x81_1c_9d_c5;
  for (const character of eventKeyText(key)) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return ((hash ^ (hash >>> 16)) >>> 0) / HASHES < rate;
}
