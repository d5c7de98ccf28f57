/** Pure. From options to the deliveries that are made, in order. */
import type { Variant } from "./variant.ts";

export interface SendOptions {
  /** Distinct events. */
  readonly count: number;
  /** Extra copies of each: an event arrives 1 + duplicates times. */
  readonly duplicates: number;
  /** Deliveries signed with other keys, of events of their own, on top. */
  readonly invalid: number;
  /** What is wrong with all of them; null: nothing. */
  readonly variant: Variant | null;
}

export interface Delivery {
  /** 0 to count - 1; one on top has numbers of its own after those. */
  readonly event: number;
  /** Must be refused, and why; null: must be accepted. */
  readonly variant: Variant | null;
}

/** The copies of an event stand side by side, so that with --concurrency they race; those on top are spread evenly. */
export function planDeliveries({ count, duplicates, invalid, variant }: SendOptions): Delivery[] {
  const genuine = Array.from({ length: count * (1 + duplicates) }, (_, at): Delivery => ({
    event: Math.floor(at / (1 + duplicates)),
    variant,
  }));
  const planned: Delivery[] = [];
  let forged = 0;
  for (const [at, delivery] of genuine.entries()) {
    while (forged < Math.floor((at * invalid) / genuine.length)) planned.push({ event: count + forged++, variant: "wrong_secret" });
    planned.push(delivery);
  }
  while (forged < invalid) planned.push({ event: count + forged++, variant: "wrong_secret" });
  return planned;
}

export interface Answer extends Delivery {
  /** 0: none came. */
  readonly status: number;
  /** The holdfast-status header, else what happened instead. */
  readonly outcome: string;
  readonly detail: string;
}

/** A genuine delivery is acknowledged, any other refused as a client's mistake: never 2xx, never 5xx, and by the receiver itself. */
export function isExpected({ variant, status, outcome }: Answer): boolean {
  return variant === null ? status >= 200 && status < 300 : status >= 400 && status < 500 && outcome === "rejected";
}

export interface Settlement {
  completed: number;
  skipped: number;
  failed: number;
  pending: number;
}

export function isSettled(settlement: Settlement): boolean {
  return settlement.pending === 0;
}

/** How many of each, most frequent first. */
export function tally(names: readonly string[]): [name: string, count: number][] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}
