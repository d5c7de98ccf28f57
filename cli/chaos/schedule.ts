/** Pure. What a run will do, all of it decided by the seed before it begins: which events are delivered when and how often, and which faults strike. */

export const SOURCES = ["generic", "stripe", "github", "standard"] as const;
export type ChaosSource = (typeof SOURCES)[number];

/** What test/chaos/worker.ts does with an event of the type `chaos.<behaviour>`, and how often among a hundred events. */
const BEHAVIOURS = {
  /** Writes its effect. */
  credit: 54,
  /** The same, many events in one statement. */
  batched: 10,
  /** The same, with time between the statements to be killed in. */
  slow: 4,
  /** Writes its effect, then throws: twice. */
  flaky: 7,
  /** Writes its effect, then never ends: once. */
  hang: 1,
  /** Writes its effect, then calls out once that is committed. */
  told: 9,
  /** Writes its effect, then throws: always. */
  poison: 2,
  /** The same, with an error that says there is no point in trying again. */
  permanent: 2,
  skip: 5,
  /** Signed with a wrong key. */
  forged: 6,
} as const;
export type Behaviour = keyof typeof BEHAVIOURS;

/** Kinds of faults, and how often each strikes in one round; a round has every kind, so that a short run has them all too. What takes long is rare. */
const FAULTS = {
  "runtime killed": 3,
  "everything killed": 1,
  "postgres restarted": 1,
  "postgres killed": 1,
  "connections terminated": 2,
  "cut before commit": 2,
  "cut after commit": 2,
  "connections reset": 1,
  "line silent": 1,
  "runtime paused": 2,
  "postgres paused": 1,
  "objects evicted": 3,
  "queue refuses": 1,
  "claims fail": 1,
} as const;
export type FaultKind = keyof typeof FAULTS;
export const FAULT_KINDS = Object.keys(FAULTS) as readonly FaultKind[];

export interface PlannedEvent {
  readonly source: ChaosSource;
  readonly id: string;
  readonly behaviour: Behaviour;
  readonly userId: string;
  readonly amount: number;
  /** Text beside the payload, so that some do not fit a message and some not one record of a claim. */
  readonly paddingBytes: number;
}

export interface PlannedDelivery {
  readonly atMs: number;
  readonly event: PlannedEvent;
}

export interface PlannedFault {
  readonly atMs: number;
  readonly kind: FaultKind;
  /** For how long, where the kind lasts. */
  readonly forMs: number;
}

export interface Schedule {
  readonly events: readonly PlannedEvent[];
  /** In order of time; copies of one event stand far apart or side by side. */
  readonly deliveries: readonly PlannedDelivery[];
  readonly faults: readonly PlannedFault[];
}

export interface ScheduleOptions {
  readonly seed: number;
  readonly durationMs: number;
  readonly eventsPerSecond: number;
}

const USERS = 20;
/** The stack has come up; the first events are on their way. */
const FIRST_FAULT_MS = 3_000;
const FAULT_GAP_MS = { least: 2_000, most: 6_500 };
const FAULT_MS = { least: 500, most: 3_500 };
const LARGE_SHARE = 0.04;
/** Over 64 kB a body does not fit a message, over 1.9 MB not one record of a claim. */
const LARGE_BYTES = { least: 65_000, most: 200_000 };
const HUGE_SHARE = 0.004;
const HUGE_BYTES = 2_200_000;
const COPIES = [1, 1, 1, 2, 2, 3, 4] as const;
/** Copies come at once, or as a provider's retries do. */
const COPY_AT_ONCE_SHARE = 0.4;
const COPY_LATER_MS = 25_000;

export function makeSchedule({ seed, durationMs, eventsPerSecond }: ScheduleOptions): Schedule {
  const ofEvents = mulberry32(seed);
  const events: PlannedEvent[] = [];
  const deliveries: PlannedDelivery[] = [];
  const gapMs = 1_000 / eventsPerSecond;
  for (let atMs = 0; atMs < durationMs; atMs += gapMs * (0.5 + ofEvents())) {
    const event = makeEvent(ofEvents, seed, events.length);
    events.push(event);
    deliveries.push({ atMs: Math.round(atMs), event });
    for (let copies = pick(ofEvents, COPIES); copies > 1; copies--) {
      const laterMs = ofEvents() < COPY_AT_ONCE_SHARE ? 0 : ofEvents() * COPY_LATER_MS;
      deliveries.push({ atMs: Math.round(Math.min(atMs + laterMs, durationMs)), event });
    }
  }
  // Of its own, so that another rate of events leaves the faults as they are.
  const ofFaults = mulberry32(seed ^ 0x9e37_79b9);
  const faults: PlannedFault[] = [];
  let round: FaultKind[] = [];
  for (let atMs = FIRST_FAULT_MS; atMs < durationMs; atMs += between(ofFaults, FAULT_GAP_MS)) {
    if (round.length === 0)
      round = shuffled(
        ofFaults,
        FAULT_KINDS.flatMap((kind) => Array.from({ length: FAULTS[kind] }, () => kind)),
      );
    const kind = round.pop();
    if (kind !== undefined) faults.push({ atMs: Math.round(atMs), kind, forMs: Math.round(between(ofFaults, FAULT_MS)) });
  }
  return { events, deliveries: deliveries.toSorted((a, b) => a.atMs - b.atMs), faults };
}

function makeEvent(random: Random, seed: number, index: number): PlannedEvent {
  const size = random();
  return {
    source: pick(random, SOURCES),
    id: `chaos_${seed}_${index}`,
    behaviour: weighted(random, BEHAVIOURS),
    userId: `user_${Math.floor(random() * USERS)}`,
    amount: 1 + Math.floor(random() * 1_000),
    paddingBytes: size < HUGE_SHARE ? HUGE_BYTES : size < LARGE_SHARE ? Math.round(between(random, LARGE_BYTES)) : 0,
  };
}

/** The next number in [0, 1). */
export type Random = () => number;

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state, the same numbers for the same seed on every machine. */
export function mulberry32(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const between = (random: Random, { least, most }: { readonly least: number; readonly most: number }): number => least + random() * (most - least);

function pick<T>(random: Random, from: readonly [T, ...T[]]): T {
  return from[Math.floor(random() * from.length)] ?? from[0];
}

/** Fisher and Yates. */
function shuffled<T>(random: Random, all: readonly T[]): T[] {
  const left = [...all];
  const out: T[] = [];
  while (left.length > 0) out.push(...left.splice(Math.floor(random() * left.length), 1));
  return out;
}

function weighted<K extends string>(random: Random, weights: Readonly<Record<K, number>>): K {
  const entries = Object.entries(weights) as [K, number][];
  let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of entries) {
    left -= weight;
    if (left < 0) return name;
  }
  return entries[0]?.[0] as K;
}
