/** What the moves of one consumer share: how its work goes on, ends, meets Postgres, and dies. */
import type { FaultPoint } from "../../src/fault-points.ts";
import { concluding, die } from "./consumer-state.ts";
import type { Here } from "./here.ts";
import { type ConsumerState, replaced, type Row, type World } from "./world.ts";

export class Turn {
  readonly here: Here;
  readonly index: number;
  readonly state: ConsumerState;
  readonly who: string;

  constructor(here: Here, index: number, state: ConsumerState) {
    this.here = here;
    this.index = index;
    this.state = state;
    this.who = `consumer ${index + 1}`;
  }

  go(w: World, next: Partial<ConsumerState>): void {
    w.consumers = replaced(w.consumers, this.index, { ...this.state, ...next });
  }

  conclude(w: World, next: Partial<ConsumerState>): void {
    w.consumers = replaced(w.consumers, this.index, concluding({ ...this.state, ...next }, this.here.rules));
  }

  /** The connection is gone: given back, not counted. */
  outage(w: World, next: Partial<ConsumerState> = {}): void {
    if (w.lockedBy === this.index) w.lockedBy = null;
    this.conclude(w, { again: "now", ...next });
  }

  step(label: string, change: (w: World) => void): void {
    this.here.step(`${this.who}: ${label}`, change);
  }

  /** One committed statement of ours on the row, which it waits for. `write` does it and returns what follows from its answer. */
  statement(label: string, write: (w: World, row: Row | null) => (w: World) => void): void {
    const { here, who } = this;
    const isFree = here.world.lockedBy === null || !here.rules.shells.locks;
    if (isFree)
      here.step(`${who}: ${label}`, (w) => {
        write(w, w.row)(w);
      });
    here.fault("pg", `${who}: Postgres is gone (${label})`, (w) => this.outage(w));
    if (isFree)
      here.fault("pg", `${who}: ${label}, which is not heard`, (w) => {
        write(w, w.row);
        this.outage(w);
      });
  }

  crash(points: readonly FaultPoint[]): void {
    this.here.crash(points, (w) => die(w, this.index));
  }
}

/** null: this consumer is idle. */
export function turnOf(here: Here, index: number): Turn | null {
  const state = here.world.consumers[index] ?? null;
  return state === null ? null : new Turn(here, index, state);
}
