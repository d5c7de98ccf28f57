/** A delivery's way to its answer, as src/ingest runs it: verify, ask the claim (twice), else the direct path, and 2xx only once it is stored. */
import { type Here, spent } from "./here.ts";
import { resetObject, stepObject } from "./object.ts";
import { BYTES, type Bytes, type DeliveryState, factsOf, put, replaced, type Sent, type World } from "./world.ts";

export function ingestMoves(here: Here): void {
  const { world, scenario } = here;
  const sent = Array.from(scenario.deliveries) as Sent[];
  sent.forEach((bytes, index) => {
    const state = world.deliveries[index];
    if (state === undefined) return;
    // Equal deliveries come in order: which of two twins is first makes no difference.
    const isFirstOfItsKind = sent.every((other, before) => before >= index || other !== bytes || world.deliveries[before]?.phase !== "to_come");
    if (state.phase === "to_come" && !isFirstOfItsKind) return;
    new Ingest(here, index, bytes, state).moves();
  });
}

class Ingest {
  readonly #here: Here;
  readonly #index: number;
  readonly #sent: Sent;
  readonly #bytes: Bytes;
  readonly #state: DeliveryState;
  readonly #who: string;

  constructor(here: Here, index: number, sent: Sent, state: DeliveryState) {
    this.#here = here;
    this.#index = index;
    this.#sent = sent;
    this.#bytes = sent === "A" ? "A" : "B";
    this.#state = state;
    this.#who = `delivery ${index + 1} (${sent})`;
  }

  moves(): void {
    switch (this.#state.phase) {
      case "to_come":
        return this.#receive();
      case "verified":
        throw new Error("a delivery is received and asks its claim in one move");
      case "retrying":
        return this.#askAgain();
      case "unclaimed":
        this.#here.crash(["ingest.unclaimed"], (w) => this.#go(w, "over"));
        return this.#here.rules.encodeMessage(this.#message()).bytes === null ? this.#admit() : this.#sendDirectly();
      case "direct_row":
        this.#here.crash(["ingest.direct_row"], (w) => this.#go(w, "over"));
        return this.#sendDirectly();
      case "over":
        return undefined;
    }
  }

  #receive(): void {
    if (!this.#here.rules.verdicts[this.#sent]) return this.#here.outside(`${this.#who}: 401`, (w) => this.#go(w, "over"));
    // Nothing is stored before the claim is asked: nobody can tell when between the two it was received.
    const verified = (w: World): void => {
      w.clock += 1;
      w.deliveries = replaced(w.deliveries, this.#index, { phase: "verified", atMs: w.clock, isOpen: false });
    };
    return this.#here.through(`${this.#who} is received`, "world", verified, (there) => {
      const state = there.world.deliveries[this.#index] ?? this.#state;
      new Ingest(there, this.#index, this.#sent, state).#askClaim();
    });
  }

  #askClaim(): void {
    const deliver = (w: World): void => this.#deliver(w);
    this.#here.step(`${this.#who}: the claim answers, 2xx`, (w) => {
      deliver(w);
      this.#answer(w);
    });
    this.#here.crash(["ingest.claimed"], (w) => {
      deliver(w);
      this.#go(w, "over");
    });
    this.#here.crash(["ingest.verified"], (w) => this.#go(w, "over"));
    this.#here.fault("deaf", `${this.#who}: the claim is unreachable`, (w) => this.#go(w, "unclaimed"));
    this.#here.fault("deaf", `${this.#who}: the claim is done and is not heard`, (w) => {
      deliver(w);
      this.#go(w, "retrying");
    });
    this.#here.crash(["claim.delivering"], (w) => {
      resetObject(w);
      this.#go(w, "unclaimed");
    });
    this.#here.crash(["claim.delivered"], (w) => {
      deliver(w);
      resetObject(w);
      this.#go(w, "retrying");
    });
  }

  /** The second try, on a fresh stub: the outage that ate the first answer may be over or not. */
  #askAgain(): void {
    this.#here.step(`${this.#who}: the claim answers the second try, 2xx`, (w) => {
      this.#deliver(w);
      this.#answer(w);
    });
    this.#here.outside(`${this.#who}: the claim is unreachable the second time`, (w) => this.#go(w, "unclaimed"));
  }

  #deliver(w: World): void {
    const { rules, scenario } = this.#here;
    w.clock += 1;
    const reply = stepObject(w, { kind: "deliver", facts: factsOf(this.#bytes, scenario) }, this.#bytes, rules);
    if (reply.kind === "requeued") this.#owe(w);
  }

  /** The direct path's row: only where nothing else holds it, since the statement does not wait and the explorer does. */
  #admit(): void {
    const { rules, world } = this.#here;
    const admit = (w: World): void => {
      const { row, isOpen } = rules.ledger.admit(w.row, this.#bytes, this.#state.atMs);
      w.row = row;
      w.deliveries = replaced(w.deliveries, this.#index, { ...this.#state, phase: "direct_row", isOpen });
    };
    if (world.lockedBy === null) this.#here.step(`${this.#who}: its row is written`, admit);
    this.#here.fault("pg", `${this.#who}: Postgres is gone, 503`, (w) => this.#refuse(w));
    if (world.lockedBy === null)
      this.#here.fault("pg", `${this.#who}: its row is written, which is not heard, 503`, (w) => {
        admit(w);
        this.#refuse(w);
      });
  }

  #message() {
    const facts = factsOf(this.#bytes, this.#here.scenario);
    return { facts, opening: this.#state.atMs, direct: true, duplicates: 0, mismatches: 0, bytes: BYTES[this.#bytes] };
  }

  #sendDirectly(): void {
    const { rules } = this.#here;
    const send = (w: World): void => {
      w.queue = put(w.queue, { message: rules.encodeMessage(this.#message()), retries: 0, waits: false });
    };
    this.#here.step(`${this.#who}: sent to the queue directly, 2xx`, (w) => {
      send(w);
      this.#owe(w);
      this.#answer(w);
    });
    this.#here.crash(["ingest.direct_sent"], (w) => {
      send(w);
      this.#go(w, "over");
    });
    const refused = (w: World): void => (this.#state.isOpen ? this.#answer(w) : this.#refuse(w));
    this.#here.fault("refuse", `${this.#who}: the queue refuses`, refused);
    this.#here.fault("refuse", `${this.#who}: the queue takes it and is not heard`, (w) => {
      send(w);
      refused(w);
    });
  }

  #answer(w: World): void {
    w.acked = true;
    this.#go(w, "over");
  }

  /** A dead letter that is older than this delivery was promised another try. */
  #owe(w: World): void {
    if (w.row?.status === "failed" && w.row.opening < this.#state.atMs) w.owed = true;
  }

  #refuse(w: World): void {
    const { scenario } = this.#here;
    const down = [spent(w, scenario, ["deaf", "die"]), spent(w, scenario, ["refuse"]), spent(w, scenario, ["pg"])];
    if (down.filter(Boolean).length < 2) w.turnedAway = true;
    this.#go(w, "over");
  }

  #go(w: World, phase: DeliveryState["phase"]): void {
    const before = w.deliveries[this.#index] ?? this.#state;
    // What is over is all the same: when it came no longer matters.
    w.deliveries = replaced(w.deliveries, this.#index, phase === "over" ? { phase, atMs: 0, isOpen: false } : { ...before, phase });
  }
}
