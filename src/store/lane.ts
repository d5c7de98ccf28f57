/** One query at a time on the one connection: what waits here can still be refused, and a loss leaves nobody waiting. */
import type { Line } from "./socket.ts";

export interface Turn {
  /** Why it may not be sent any more; asked when its turn has come. */
  refusal(): Error | null;
  refuse(error: Error): void;
  send(): void;
  /** Settles when the connection is free again. */
  readonly settled: Promise<unknown>;
}

/**
 * postgres.js keeps a queue of its own, which sends what it was given whatever has happened since, and holds on for ever to what it was given after a
 * failed start-up. Nothing is lost by going one by one: a transaction's queries run one after another anyway (PLATFORM 11.4).
 */
export class Lane {
  readonly #line: Line;
  readonly #waiting: Turn[] = [];
  #current: Turn | null = null;

  constructor(line: Line) {
    this.#line = line;
    void line.whenLost.then((lost) => this.#current?.refuse(lost));
  }

  take(turn: Turn): void {
    this.#waiting.push(turn);
    this.#next();
  }

  #next(): void {
    while (this.#current === null) {
      const turn = this.#waiting.shift();
      if (turn === undefined) return;
      const refusal = turn.refusal() ?? this.#line.lost();
      if (refusal === null) this.#send(turn);
      else turn.refuse(refusal);
    }
  }

  #send(turn: Turn): void {
    this.#current = turn;
    const free = (): void => {
      this.#current = null;
      this.#next();
    };
    turn.settled.then(free, free);
    turn.send();
  }
}
