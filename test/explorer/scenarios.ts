/** The bounds: what the world may do in one exploration. Each is small enough to be explored whole, and together they cover the failure matrix. */
export type Budget =
  /** A watchdog or a sweep fires though something is on its way. */
  | "early"
  /** The queue delivers a message twice. */
  | "dup"
  /** The queue loses a message. */
  | "loss"
  /** An isolate or an object dies between two effects. */
  | "die"
  /** A call to the claim fails, done or not. */
  | "deaf"
  /** The queue refuses a send. */
  | "refuse"
  /** A statement of ours, or a transaction, fails: before its commit, or after it with the answer lost. */
  | "pg"
  /** The claim's retention passes. */
  | "forget"
  /** An operator replays. */
  | "replay";

export const ALL_BUDGETS: readonly Budget[] = ["early", "dup", "loss", "die", "deaf", "refuse", "pg", "forget", "replay"];

/** What a handler may do in a turn; more than one: any of them, each time. */
export type Turn = "ok" | "skip" | "throws" | "permanent" | "hangs" | "kills";

export interface Scenario extends Partial<Readonly<Record<Budget, number>>> {
  /** In any order, except that equal ones come in this order: A, B (other bytes), F (forged). */
  readonly deliveries: string;
  readonly turns: readonly Turn[];
  /** The handler has an `after`, which may do this. */
  readonly afters?: readonly ("ok" | "throws")[];
  /** The body does not fit a message. */
  readonly isLarge?: boolean;
  readonly consumers?: number;
  /** A consumer may get two messages of the event in one batch. */
  readonly isPaired?: boolean;
  /** Failures of each opening that are counted as having happened, so that the last ones are explored. */
  readonly attemptsBefore?: number;
  readonly afterAttemptsBefore?: number;
  /** The same for runs alone that never ended. */
  readonly startsBefore?: number;
}

/** In life 100 (wrangler.toml); past it a message is moved to the dead-letter queue. */
export const MESSAGE_RETRIES = 1;

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  plain: { deliveries: "AAB", turns: ["ok"], dup: 1, die: 1 },
  many: { deliveries: "AAAB", turns: ["ok"], dup: 1, refuse: 1 },
  forged: { deliveries: "FAF", turns: ["ok"], die: 1, dup: 1 },
  ingest: { deliveries: "AA", turns: ["ok"], deaf: 1, die: 1, refuse: 1 },
  relay: { deliveries: "A", turns: ["ok"], refuse: 4, die: 1 },
  loss: { deliveries: "A", turns: ["ok"], loss: 2, die: 1, refuse: 1 },
  swept: { deliveries: "A", turns: ["ok"], pg: 1, loss: 1, die: 1 },
  race: { deliveries: "AB", turns: ["ok"], consumers: 2, dup: 1, early: 1 },
  direct: { deliveries: "AB", turns: ["ok"], deaf: 1, pg: 1, loss: 1 },
  adoption: { deliveries: "A", turns: ["ok"], deaf: 1, die: 1, pg: 1 },
  suspect: { deliveries: "A", turns: ["ok"], die: 1, pg: 2 },
  large: { deliveries: "AB", turns: ["ok"], isLarge: true, deaf: 1, die: 1 },
  largeRace: { deliveries: "A", turns: ["ok"], isLarge: true, consumers: 2, dup: 1, die: 1 },
  outage: { deliveries: "A", turns: ["ok"], pg: 3, early: 1 },
  deaths: { deliveries: "A", turns: ["ok"], die: 3, dup: 1 },
  flaky: { deliveries: "A", turns: ["ok", "throws"], attemptsBefore: 6, die: 1, replay: 1 },
  hangs: { deliveries: "A", turns: ["hangs"], attemptsBefore: 6, consumers: 2, dup: 1 },
  poison: { deliveries: "AB", turns: ["ok", "permanent"], consumers: 2, replay: 1 },
  redelivery: { deliveries: "AA", turns: ["permanent"], dup: 1, deaf: 1, die: 1 },
  retold: { deliveries: "AA", turns: ["permanent"], dup: 1, refuse: 1, die: 1 },
  kills: { deliveries: "A", turns: ["kills"], dup: 1, early: 1 },
  killedTwice: { deliveries: "A", turns: ["ok", "kills"], startsBefore: 1, consumers: 2, dup: 1 },
  skips: { deliveries: "A", turns: ["skip"], dup: 1, replay: 1, die: 1 },
  skipsFail: { deliveries: "AA", turns: ["skip", "permanent"], replay: 1, dup: 1 },
  forget: { deliveries: "AAB", turns: ["ok", "permanent"], forget: 1, deaf: 1 },
  largeFailed: { deliveries: "A", turns: ["ok", "permanent"], isLarge: true, forget: 1, deaf: 1, replay: 1 },
  largeKilled: { deliveries: "A", turns: ["ok"], isLarge: true, startsBefore: 2, die: 2, forget: 1 },
  after: { deliveries: "A", turns: ["ok"], afters: ["ok"], die: 2, dup: 1 },
  afterRace: { deliveries: "A", turns: ["ok"], afters: ["ok", "throws"], afterAttemptsBefore: 3, consumers: 2, dup: 1 },
  afterFails: { deliveries: "A", turns: ["ok"], afters: ["ok", "throws"], afterAttemptsBefore: 3, pg: 2, replay: 1 },
  batch: { deliveries: "AAB", turns: ["ok", "permanent"], isPaired: true, deaf: 1, dup: 1 },
};

/** For every run of the unit tests: two deliveries (one where bodies are large or Postgres fails), one fault of each kind, two of Postgres (with which a message's retries run out). */
export function smaller(scenario: Scenario): Scenario {
  const most = (budget: Budget): number => (budget === "pg" ? 2 : budget === "early" && scenario.dup !== undefined ? 0 : 1);
  const bounded = Object.fromEntries(
    ALL_BUDGETS.flatMap((budget) => (scenario[budget] === undefined ? [] : [[budget, Math.min(scenario[budget], most(budget))]])),
  );
  return { ...scenario, deliveries: scenario.deliveries.slice(0, scenario.isLarge === true || scenario.pg !== undefined ? 1 : 2), ...bounded };
}

/** More of each: hours, not minutes. */
export function deeper(scenario: Scenario): Scenario {
  const more = (budget: Budget) => (scenario[budget] === undefined ? {} : { [budget]: (scenario[budget] ?? 0) + 1 });
  const deliveries = scenario.deliveries.length < 3 ? `${scenario.deliveries}A` : scenario.deliveries;
  return { ...scenario, deliveries, ...more("dup"), ...more("die"), ...more("deaf"), ...more("pg") };
}
