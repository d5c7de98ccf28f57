/** A consumer with one event, as src/queue runs it: record, perhaps start or fetch, lock, handle, settle, commit; then its after, its claim, its message. */
import type { FaultPoint } from "../../src/fault-points.ts";
import { LARGE_BODY_BYTES } from "../../src/core/limits.ts";
import { concluding, die } from "./consumer-state.ts";
import { afterMoves } from "./consumer-after.ts";
import { endMoves } from "./consumer-end.ts";
import { runMoves } from "./consumer-run.ts";
import type { Here } from "./here.ts";
import { resetObject } from "./object.ts";
import { bytesNamed, type ConsumerState, replaced, type Row, type World } from "./world.ts";

export function consumerMoves(here: Here): void {
  for (const index of here.world.consumers.keys()) movesOf(here, index);
}

/** Of one consumer alone. */
export function movesOf(here: Here, index: number): void {
  const state = here.world.consumers[index];
  if (state !== null && state !== undefined) new Turn(here, index, state).moves();
}

/** What the moves of one consumer share. */
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

  moves(): void {
    switch (this.state.phase) {
      case "received":
        this.crash(["consume.received"]);
        return this.#record();
      case "to_start":
        this.crash(["consume.recorded"]);
        return this.#start();
      case "to_fetch":
        this.crash([this.state.isAlone ? "consume.started" : "consume.recorded"]);
        return this.#fetch();
      case "body_loaded":
        this.crash(["consume.body_loaded"]);
        return this.#storeBody();
      case "to_lock":
        this.crash([this.state.loaded !== null ? "consume.body_stored" : this.state.isAlone ? "consume.started" : "consume.recorded"]);
        return runMoves(this);
      case "running":
      case "to_count":
        return runMoves(this);
      case "to_after":
      case "after_begun":
      case "after_ran":
        return afterMoves(this);
      case "to_release":
      case "to_tell":
      case "to_adopt":
      case "told":
        return endMoves(this);
    }
  }

  #record(): void {
    const { rules } = this.here;
    this.statement("records", (w, before) => {
      const { row, seen } = rules.ledger.record(before, this.state.message);
      w.row = row;
      const starts = seen.status === "pending" && seen.unfinishedStarts === 0 && !rules.isEarly(seen) ? 1 : null;
      const next = { seen: { opening: seen.opening, attempts: seen.attempts }, starts };
      const settled = seen.status === "pending" ? null : { status: seen.status, opening: seen.opening, stored: seen.bodyBytes !== null };
      const plan = rules.planRow(seen, LARGE_BODY_BYTES);
      return (w) => {
        switch (plan.kind) {
          case "settled":
            return this.conclude(w, { ...next, settled });
          case "after":
            return this.go(w, { ...next, settled, owesAfter: true, phase: "to_after" });
          case "early":
            return this.conclude(w, { ...next, again: "later" });
          case "suspect":
            return this.go(w, { ...next, phase: "to_start" });
          case "fetch":
            return this.go(w, { ...next, phase: "to_fetch" });
          case "large":
          case "run":
            return this.go(w, { ...next, phase: "to_lock" });
        }
      };
    });
  }

  /** Its start is committed before it runs alone. */
  #start(): void {
    const { rules } = this.here;
    this.statement("starts alone", (w, before) => {
      const row = before === null ? null : rules.ledger.start(before);
      if (row === null) return (w) => this.conclude(w, { again: "later" });
      w.row = row;
      const { starts, opening, attempts, body } = row;
      const next = { starts, seen: { opening, attempts }, isAlone: true };
      return (w) => {
        if (rules.isKiller(starts - 1)) this.go(w, { ...next, phase: "to_count", failure: { class: "killed", unlessBody: false } });
        else this.go(w, { ...next, phase: body === null ? "to_fetch" : "to_lock" });
      };
    });
  }

  #fetch(): void {
    const { here } = this;
    const { diskBytes, memory } = here.world;
    if (diskBytes !== null && memory?.facts?.digest === diskBytes)
      this.step(`loads ${diskBytes} from the claim`, (w) => this.go(w, { phase: "body_loaded", loaded: bytesNamed(diskBytes) }));
    else
      this.statement("finds no bytes in the claim, asks the row", (_, row) => (w) => {
        if (row !== null && row.body !== null) this.go(w, { phase: "to_lock" });
        else this.go(w, { phase: "to_count", failure: { class: "permanent", unlessBody: true } });
      });
    here.fault("deaf", `${this.who}: the claim is unreachable for the bytes`, (w) => this.outage(w));
    here.crash(["claim.loading"], (w) => {
      resetObject(w);
      this.outage(w);
    });
  }

  #storeBody(): void {
    const { loaded } = this.state;
    this.statement("stores the body", (w, row) => {
      if (row !== null && loaded !== null) w.row = this.here.rules.ledger.storeBody(row, loaded);
      return (w) => this.go(w, { phase: "to_lock" });
    });
  }
}
