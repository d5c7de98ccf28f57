/**
 * A delivery that carries several events: in its own transaction it becomes one pending row an event, and is completed. From then on its events
 * deduplicate, fail and replay on their own. After the commit each gets a message without bytes; what the queue refuses, the sweep sends.
 */
import { PermanentError } from "../core/errors.ts";
import { eventKeyText } from "../core/event.ts";
import { RECORD_SLICE_BYTES } from "../core/limits.ts";
import { type EventMessage, messageForRow } from "../core/message.ts";
import { slicesOf } from "../core/slices.ts";
import { faultPoint } from "../fault-points.ts";
import { digestPrefix, log } from "../log.ts";
import { holds } from "../providers/conditions.ts";
import { DELIVERY_HEADER, explainSplit, itemsOf, type SplittingProvider } from "../providers/items.ts";
import { sendMessages } from "../send-messages.ts";
import type { Tx } from "../store/guard.ts";
import type { LockedRow } from "../store/statements/lock.ts";
import type { Settled } from "../store/statements/settle.ts";
import { type ItemRow, split } from "../store/statements/split.ts";
import type { Consumer } from "./consume.ts";
import { deliveryOf } from "./event-data.ts";
import { settledOf } from "./run-handler.ts";

interface Mismatch {
  readonly row: ItemRow;
  readonly otherDigest: string;
}

/** The deliveries that one transaction splits. */
export class Splitting {
  readonly #rows = new Map<string, ItemRow>();
  readonly #mismatches: Mismatch[] = [];

  /** Takes a delivery apart; writes nothing yet. Throws PermanentError where its bytes do not hold what the provider promises. */
  async add(row: LockedRow, provider: SplittingProvider): Promise<Settled> {
    const settled = settledOf(row, null);
    if (!holds(provider.only, await deliveryOf(row))) return { ...settled, status: "skipped", reason: "other_mode" };
    const items = await itemsOf(provider, { headers: row.headers, body: row.body ?? new Uint8Array(0) });
    if (!items.ok) throw new PermanentError(explainSplit(items.failure));
    const delivery = { headers: { ...row.headers, [DELIVERY_HEADER]: row.id }, receivedAtMs: row.receivedAtMs };
    const here = new Map<string, ItemRow>();
    for (const item of items.value) {
      const first = here.get(item.id);
      if (first === undefined) here.set(item.id, { ...item, source: row.source, opening: row.opening, copies: 0, mismatches: 0, delivery });
      else if (first.digest !== item.digest) here.set(item.id, this.#mismatch(first, item.digest));
    }
    for (const item of here.values()) this.#merge(item);
    return { ...settled, reason: `split: ${here.size} events` };
  }

  /** The messages to send once this has committed: none for what has ended. */
  async write(db: Tx): Promise<EventMessage[]> {
    const messages: EventMessage[] = [];
    for (const rows of slicesOf(inKeyOrder([...this.#rows.values()]), weightOf, RECORD_SLICE_BYTES)) {
      const seen = new Map((await split(db, rows)).map((one) => [one.index, one]));
      for (const [index, row] of rows.entries()) {
        const one = seen.get(index);
        if (typeof one?.otherDigest === "string") this.#mismatches.push({ row, otherDigest: one.otherDigest });
        if (one?.fate !== "settled") messages.push(messageOf(row));
      }
    }
    return messages;
  }

  /** After the commit. Never throws. */
  async send(messages: readonly EventMessage[], { env, config }: Consumer): Promise<void> {
    const [mismatch] = this.#mismatches;
    if (mismatch !== undefined) {
      log("warn", "payload_mismatch", {
        source: mismatch.row.source,
        eventId: mismatch.row.id,
        digest: digestPrefix(mismatch.row.digest),
        otherDigest: digestPrefix(mismatch.otherDigest),
        counts: { events: this.#mismatches.length },
        hint: "an event of a delivery has an id that other bytes came under: the first are kept",
      });
    }
    if (FAULTS && messages.length > 0) await faultPoint("consume.split");
    const { unsent, error } = await sendMessages(env.EVENTS, messages, config.timings);
    if (FAULTS && messages.length > 0) await faultPoint("consume.split_sent");
    const [first] = unsent;
    if (first === undefined) return;
    log("warn", "items_unsent", {
      source: first.facts.source,
      eventId: first.facts.headers[DELIVERY_HEADER] ?? first.facts.id,
      messages: unsent.length,
      ...(error === null ? {} : { error }),
      hint: "the queue refused the messages of events that a delivery was split into; the sweep sends them within the hour",
    });
  }

  /** The same event in two deliveries: the first's bytes, under the newest opening. */
  #merge(item: ItemRow): void {
    const name = eventKeyText(item);
    const before = this.#rows.get(name);
    if (before === undefined) {
      this.#rows.set(name, item);
      return;
    }
    const seen = before.digest === item.digest ? before : this.#mismatch(before, item.digest);
    this.#rows.set(name, {
      ...seen,
      opening: Math.max(before.opening, item.opening),
      copies: before.copies + 1,
      mismatches: seen.mismatches + item.mismatches,
    });
  }

  #mismatch(row: ItemRow, otherDigest: string): ItemRow {
    this.#mismatches.push({ row, otherDigest });
    return { ...row, mismatches: row.mismatches + 1 };
  }
}

function messageOf(row: ItemRow): EventMessage {
  const { bytes, delivery, ...facts } = row;
  return messageForRow({ ...facts, ...delivery, contentType: "application/json", bytesLength: bytes.byteLength });
}

/** One order in every consumer, so that two that add the same events cannot wait for each other. */
function inKeyOrder(rows: readonly ItemRow[]): ItemRow[] {
  const named = rows.map((row) => [eventKeyText(row), row] as const);
  return named.toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row);
}

/** What a row weighs in a statement beside its bytes and texts. */
const ROW_OVERHEAD_BYTES = 256;

/** Bytes as base64; a delivery's headers are in each statement once. */
function weightOf(row: ItemRow, slice: readonly ItemRow[]): number {
  const headers = slice.some((other) => other.delivery === row.delivery) ? 0 : JSON.stringify(row.delivery.headers).length;
  return Math.ceil((row.bytes.byteLength * 4) / 3) + row.id.length + row.type.length + headers + ROW_OVERHEAD_BYTES;
}
