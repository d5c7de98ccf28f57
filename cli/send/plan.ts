/** Pure. From options to the deliveries that are made, in order. */

export interface SendOptions {
  /** Distinct events. */
  readonly count: number;
  /** Extra copies of each: an event arrives 1 + duplicates times. */
  readonly duplicates: number;
  /** Deliveries with a forged signature, of events of their own, on top. */
  readonly invalid: number;
}

export interface Delivery {
  /** 0 to count - 1; a forged one has numbers of its own after those. */
  readonly event: number;
  readonly forged: boolean;
}

/** The copies of an event stand side by side, so that with --concurrency they race; the forged ones are spread evenly. */
export function planDeliveries({ count, duplicates, invalid }: SendOptions): Delivery[] {
  const genuine = Array.from({ length: count * (1 + duplicates) }, (_, at): Delivery => ({
    event: Math.floor(at / (1 + duplicates)),
    forged: false,
  }));
  const planned: Delivery[] = [];
  let forged = 0;
  for (const [at, delivery] of genuine.entries()) {
    while (forged < Math.floor((at * invalid) / genuine.length)) planned.push({ event: count + forged++, forged: true });
    planned.push(delivery);
  }
  while (forged < invalid) planned.push({ event: count + forged++, forged: true });
  return planned;
}

export interface Answer {
  readonly event: number;
  readonly forged: boolean;
  /** 0: none came. */
  readonly status: number;
  /** The holdfast-status header, else what happened instead. */
  readonly outcome: string;
  readonly detail: string;
}

/** A genuine delivery is acknowledged, a forged one refused as a client's mistake: never 2xx, never 5xx. */
export function isExpected(answer: Answer): boolean {
  return answer.forged ? answer.status >= 400 && answer.status < 500 : answer.status >= 200 && answer.status < 300;
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
