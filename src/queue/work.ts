/** Pure. The consumer's nouns: an event of a batch with its messages, and what came of it. */
import type { EventKey } from "../core/event.ts";
import type { EventMessage } from "../core/message.ts";
import type { EventStatus } from "../core/settlement.ts";
import { eventKeyText } from "../core/event.ts";
import type { Count } from "../metrics.ts";

/** What the ledger says of a settled event, as its claim is told. */
export interface SettledRow {
  readonly status: Exclude<EventStatus, "pending">;
  readonly opening: number;
  /** The row has the event's bytes. */
  readonly stored: boolean;
}

export interface Work {
  readonly key: EventKey;
  /** The one that counts: of the newest opening, with bytes if any has them. */
  readonly message: EventMessage;
  /** Every message of this event in the batch: acknowledged or given back together. */
  readonly handles: readonly Message[];
  /** Set once the ledger has a final word; the claim is told. */
  settled: SettledRow | null;
  /** The row's `starts` as this consumer left it; an orderly end clears it. null: none of ours. */
  starts: number | null;
  /** The connection went during its turn: given back, but run alone from now on. Never counted: it may have been an outage. */
  suspect: boolean;
  /** The event's `after` has not run yet. */
  owesAfter: boolean;
  /** What its runs came to, for the counters. */
  readonly counts: Count[];
  /** The messages go back for this long; null with `settled`: acknowledged. */
  again: GiveBack | null;
}

export type GiveBack =
  /** An outage: the wait grows with the message's deliveries. */
  | { readonly kind: "outage"; readonly reason: string }
  /** A wait that the event's own story sets. */
  | { readonly kind: "wait"; readonly delayMs: number; readonly reason: string };

export interface Received {
  readonly handle: Message;
  readonly message: EventMessage;
}

/** One work per event, in key order: the same everywhere, so that locks are taken in one order. */
export function toWorks(received: readonly Received[]): Work[] {
  const byKey = new Map<string, Received[]>();
  for (const one of received) {
    const name = eventKeyText(one.message.facts);
    const others = byKey.get(name);
    if (others === undefined) byKey.set(name, [one]);
    else others.push(one);
  }
  return [...byKey.entries()]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([, all]) => {
      const message = all.map((one) => one.message).reduce(preferred);
      const { source, id } = message.facts;
      return {
        key: { source, id },
        message,
        handles: all.map((one) => one.handle),
        settled: null,
        starts: null,
        suspect: false,
        owesAfter: false,
        counts: [],
        again: null,
      };
    });
}

/** Bytes of one message serve under the opening of another: they are the same event's, and the row keeps the first it gets. */
function preferred(left: EventMessage, right: EventMessage): EventMessage {
  const newer = right.opening > left.opening ? right : left;
  const other = newer === left ? right : left;
  const counts = { duplicates: Math.max(left.duplicates, right.duplicates), mismatches: Math.max(left.mismatches, right.mismatches) };
  const whole =
    newer.bytes === null && other.bytes !== null ? { facts: other.facts, bytes: other.bytes } : { facts: newer.facts, bytes: newer.bytes };
  return { ...newer, ...counts, ...whole, direct: left.direct || right.direct };
}

export const isOpen = (work: Work): boolean => work.settled === null && work.again === null;

export function giveBack(works: readonly Work[], again: GiveBack): void {
  // What has settled but still owes its after goes back too: the acknowledgement follows the after.
  for (const work of works) if (isOpen(work) || work.owesAfter) work.again ??= again;
}
