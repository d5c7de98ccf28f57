/** Breadth first, so that the first state that breaks a promise has a shortest trace; then backwards over fair steps, for what must end. */
import type { FaultPoint } from "../../src/fault-points.ts";
import { consumerMoves, movesOf } from "./consumer.ts";
import { Here, type Move } from "./here.ts";
import { ingestMoves } from "./ingest.ts";
import { objectMoves } from "./object.ts";
import { ENDS, MOVES, SAFETY } from "./promises.ts";
import { deadLetterMoves, ledgerMoves, queueMoves } from "./queues.ts";
import type { Rules } from "./rules.ts";
import type { Scenario } from "./scenarios.ts";
import { keyOf } from "./key.ts";
import { initialWorld, type World } from "./world.ts";

const IN_STATE = Object.entries(SAFETY);
const ON_MOVE = Object.entries(MOVES);
const AT_END = Object.entries(ENDS);

export interface Violation {
  readonly promise: string;
  readonly trace: readonly string[];
  readonly end: string;
}

export interface Exploration {
  readonly states: number;
  readonly transitions: number;
  readonly violations: readonly Violation[];
  readonly crashPoints: ReadonlySet<FaultPoint>;
  /** The bound on states was reached: what lies beyond was not looked at, and nothing is said of ends. */
  readonly isCut: boolean;
}

export function movesFrom(world: World, scenario: Scenario, rules: Rules): readonly Move[] {
  const here = new Here(world, scenario, rules);
  ingestMoves(here);
  objectMoves(here);
  queueMoves(here, movesOf);
  consumerMoves(here);
  deadLetterMoves(here);
  ledgerMoves(here);
  return here.moves;
}

export function explore(scenario: Scenario, rules: Rules, statesLimit = 5_000_000, until: "all" | "first" = "all"): Exploration {
  const search = new Search(scenario, rules);
  search.see(initialWorld(scenario), -1, "");
  let at = 0;
  for (; at < search.states; at++) {
    if (search.states > statesLimit) break;
    search.expand(at);
    if (until === "first" && search.violations.size > 0) break;
  }
  const isCut = at < search.states;
  if (!isCut) search.lookBack();
  return {
    states: search.states,
    transitions: search.transitions,
    violations: [...search.violations.values()],
    crashPoints: search.crashPoints,
    isCut,
  };
}

class Search {
  readonly violations = new Map<string, Violation>();
  readonly crashPoints = new Set<FaultPoint>();
  transitions = 0;
  readonly #scenario: Scenario;
  readonly #rules: Rules;
  readonly #ids = new Map<string, number>();
  /** Let go of once expanded: what is left of a state is its number, its parent and which ends it has reached. */
  readonly #worlds: (World | null)[] = [];
  readonly #parents: number[] = [];
  readonly #labels: string[] = [];
  readonly #reached: number[] = [];
  readonly #fairFrom: number[] = [];
  readonly #fairTo: number[] = [];

  constructor(scenario: Scenario, rules: Rules) {
    this.#scenario = scenario;
    this.#rules = rules;
  }

  get states(): number {
    return this.#worlds.length;
  }

  see(world: World, parent: number, label: string): number {
    const key = keyOf(world);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#worlds.length;
    this.#ids.set(key, id);
    this.#worlds.push(world);
    this.#parents.push(parent);
    this.#labels.push(label);
    this.#reached.push(AT_END.reduce((bits, [, holds], bit) => bits | (holds(world, this.#scenario) ? 1 << bit : 0), 0));
    for (const [promise, holds] of IN_STATE) if (!holds(world, this.#scenario)) this.#violate(promise, id, world);
    return id;
  }

  expand(id: number): void {
    const world = this.#worlds[id];
    if (world === null || world === undefined) throw new Error(`state ${id} is gone`);
    this.#worlds[id] = null;
    if (world.effects > 1) return; // beyond repair
    for (const move of movesFrom(world, this.#scenario, this.#rules)) {
      this.transitions++;
      if (move.point !== null) this.crashPoints.add(move.point);
      const next = this.see(move.world, id, move.label);
      for (const [promise, holds] of ON_MOVE) if (!holds(world, move.world, this.#scenario)) this.#violate(promise, id, move.world, move.label);
      if (move.kind === "step" && next !== id) {
        this.#fairFrom.push(id);
        this.#fairTo.push(next);
      }
    }
  }

  /** Who can still get to an end by fair steps. Whoever always can, does: a step that stays possible is taken at last (strong fairness). */
  lookBack(): void {
    const heads = new Int32Array(this.states).fill(-1);
    const nexts = new Int32Array(this.#fairTo.length);
    this.#fairTo.forEach((to, edge) => {
      nexts[edge] = heads[to] ?? -1;
      heads[to] = edge;
    });
    AT_END.forEach(([promise], bit) => {
      const can = new Uint8Array(this.states);
      const todo: number[] = [];
      this.#reached.forEach((bits, id) => {
        if ((bits & (1 << bit)) === 0) return;
        can[id] = 1;
        todo.push(id);
      });
      for (let id = todo.pop(); id !== undefined; id = todo.pop()) {
        for (let edge = heads[id] ?? -1; edge !== -1; edge = nexts[edge] ?? -1) {
          const from = this.#fairFrom[edge] ?? 0;
          if (can[from] === 1) continue;
          can[from] = 1;
          todo.push(from);
        }
      }
      const stuck = can.indexOf(0);
      if (stuck !== -1) this.#violate(promise, stuck, null);
    });
  }

  #violate(promise: string, id: number, world: World | null, last?: string): void {
    if (this.violations.has(promise)) return;
    const trace = last === undefined ? [] : [last];
    for (let at = id; at > 0; at = this.#parents[at] ?? 0) trace.unshift(this.#labels[at] ?? "");
    this.violations.set(promise, { promise, trace, end: world === null ? "from here fair steps alone never get there" : describe(world) });
  }
}

function describe({ memory, diskBytes, row, queue, deadLetters, effects }: World): string {
  const claim = `claim ${memory?.status ?? "unclaimed"}${diskBytes === null ? "" : ` with ${diskBytes}`}`;
  const ledger = row === null ? "no row" : `row ${row.status}${row.body === null ? "" : ` with ${row.body}`}, opening ${row.opening}`;
  return `${claim}; ${ledger}; ${queue.length} queued, ${deadLetters.length} in events-dlq; effects ${effects}`;
}
