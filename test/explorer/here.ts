/** One state, and the moves out of it as they are found. */
import type { FaultPoint } from "../../src/fault-points.ts";
import type { Rules } from "./rules.ts";
import { ALL_BUDGETS, type Budget, type Scenario } from "./scenarios.ts";
import { replaced, type World } from "./world.ts";

export interface Move {
  /** step: happens without anybody's leave (fair). fault: spends a budget. world: a delivery, an operator, years. */
  readonly kind: "step" | "fault" | "world";
  readonly label: string;
  readonly point: FaultPoint | null;
  readonly world: World;
}

export type Change = (world: World) => void;

export class Here {
  readonly world: World;
  readonly scenario: Scenario;
  readonly rules: Rules;
  readonly moves: Move[] = [];

  constructor(world: World, scenario: Scenario, rules: Rules) {
    this.world = world;
    this.scenario = scenario;
    this.rules = rules;
  }

  #add(kind: Move["kind"], label: string, point: FaultPoint | null, change: Change): void {
    const world = { ...this.world };
    change(world);
    this.moves.push({ kind, label, point, world });
  }

  step(label: string, change: Change): void {
    this.#add("step", label, null, change);
  }

  outside(label: string, change: Change): void {
    this.#add("world", label, null, change);
  }

  has(budget: Budget): boolean {
    return (this.world.budgets[ALL_BUDGETS.indexOf(budget)] ?? 0) > 0;
  }

  fault(budget: Budget, label: string, change: Change, point: FaultPoint | null = null): void {
    if (!this.has(budget)) return;
    this.#add("fault", label, point, (world) => {
      spend(world, budget);
      change(world);
    });
  }

  /** Two moves as one, where nobody else could tell them apart: whatever `then` finds after `first`. `as`: what a fair step becomes by it. */
  through(label: string, as: Move["kind"], first: Change, then: (there: Here) => void): void {
    const world = { ...this.world };
    first(world);
    const there = new Here(world, this.scenario, this.rules);
    then(there);
    for (const move of there.moves) this.moves.push({ ...move, kind: move.kind === "step" ? as : move.kind, label: `${label}; ${move.label}` });
  }

  /** Death at one of these moments: the same world for all of them, since nothing that anybody can see lies between. */
  crash(points: readonly FaultPoint[], change: Change): void {
    for (const point of points) this.fault("die", `crash at ${point}`, change, point);
  }
}

export function spend(world: World, budget: Budget): void {
  const at = ALL_BUDGETS.indexOf(budget);
  world.budgets = replaced(world.budgets, at, (world.budgets[at] ?? 0) - 1);
}

/** Whether any of these budgets has been drawn on. */
export function spent(world: World, scenario: Scenario, budgets: readonly Budget[]): boolean {
  return budgets.some((budget) => (world.budgets[ALL_BUDGETS.indexOf(budget)] ?? 0) < (scenario[budget] ?? 0));
}

/** Long timers bark only where nothing else is left to move the event: an earlier one spends a budget. */
export function nothingMoves(world: World): boolean {
  return (
    world.queue.length === 0 &&
    world.deadLetters.length === 0 &&
    world.consumers.every((one) => one === null) &&
    world.deadLetter === null &&
    world.relay === null &&
    world.replaying === null &&
    world.deliveries.every(({ phase }) => phase === "to_come" || phase === "over")
  );
}
