/** One event's object without a runtime: memory, disk, alarm and one relay, driven by steps. It checks the promises of DESIGN 3.2 after each of them. */
import { type Claim, type ClaimEffect, type ClaimInput, type ClaimStep, step } from "../../../src/core/claim.ts";
import type { Timings } from "../../../src/core/timings.ts";

/** An input that a step must not change: module code is strict, so a write to it throws. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const field of Object.values(value)) frozen(field);
    Object.freeze(value);
  }
  return value;
}

/** Thousands of steps are checked: a plain condition costs a hundredth of an `expect`. */
function must(holds: boolean, promise: string): void {
  if (!holds) throw new Error(`broken promise: ${promise}`);
}

const MUST_COME_FIRST: ReadonlySet<ClaimEffect["kind"]> = new Set(["save", "arm", "forget"]);

export class ClaimWorld {
  readonly #timings: Timings;
  nowMs: number;
  memory: Claim | null = null;
  disk: Claim | null = null;
  hasBytesOnDisk = false;
  armedForMs: number | null = null;
  /** The opening of the send that is on its way. */
  relaying: number | null = null;
  /** Messages that were handed to the queue. */
  sends = 0;
  lastReply: ClaimStep["reply"]["kind"] = "noted";

  constructor(nowMs: number, timings: Timings) {
    this.nowMs = nowMs;
    this.#timings = timings;
  }

  feed(input: ClaimInput): void {
    const before = frozen(this.memory);
    const result = step(before, frozen(input), this.nowMs, this.#timings);
    this.#checkOrder(result.effects);
    this.#checkForgetting(before, result);
    for (const effect of result.effects) this.#perform(effect, result.next);
    this.memory = result.next;
    this.lastReply = result.reply.kind;
    this.#checkStatus(before, input);
    this.#checkDisk();
  }

  fireAlarm(): void {
    if (this.armedForMs === null) return;
    this.nowMs = Math.max(this.nowMs, this.armedForMs);
    this.armedForMs = null;
    this.feed({ kind: "alarm" });
  }

  /** What the queue said to the send that is on its way, if any. */
  answerRelay(isTaken: boolean): void {
    if (this.relaying === null) return;
    const opening = this.relaying;
    this.relaying = null;
    this.feed({ kind: isTaken ? "sent" : "refused", opening });
  }

  /** The object is gone from memory, with whatever its relay was waiting for. */
  evict(): void {
    this.memory = this.disk;
    this.relaying = null;
  }

  #perform(effect: ClaimEffect, next: Claim | null): void {
    switch (effect.kind) {
      case "save":
        this.disk = next;
        if (effect.bytes === "put") this.hasBytesOnDisk = true;
        if (effect.bytes === "drop") this.hasBytesOnDisk = false;
        return;
      case "arm":
        must(effect.atMs > this.nowMs, "an alarm is never set to now");
        this.armedForMs = effect.atMs;
        return;
      case "send":
        must(next !== null && next.facts !== null, "only what is known can be sent");
        if (this.relaying !== null) return;
        this.relaying = next?.opening ?? null;
        this.sends += 1;
        return;
      case "forget":
        this.disk = null;
        this.hasBytesOnDisk = false;
        this.armedForMs = null;
        return;
      case "report_stuck":
        must(effect.refusals >= 10, "stuck is said after ten refusals");
    }
  }

  #checkOrder(effects: readonly ClaimEffect[]): void {
    const kinds = effects.map((effect) => effect.kind);
    const firstAct = kinds.findIndex((kind) => !MUST_COME_FIRST.has(kind));
    const lastWrite = kinds.findLastIndex((kind) => MUST_COME_FIRST.has(kind));
    must(firstAct === -1 || lastWrite < firstAct, "saved and armed before anything is sent");
    must(new Set(kinds).size === kinds.length, "no effect twice");
  }

  #checkForgetting(before: Claim | null, { next, effects }: ClaimStep): void {
    const forgets = effects.some((effect) => effect.kind === "forget");
    must(forgets === (next === null && (before !== null || effects.length > 0)), "a record goes only by being forgotten");
    if (!forgets || before === null) return;
    must(effects.length === 1, "forgetting is all that the step does");
    const keptMs = before.status === "completed" ? this.#timings.completedKeptMs : this.#timings.failedKeptMs;
    const mayGo = before.status === "completed" || (before.status === "failed" && (before.stored || !this.hasBytesOnDisk));
    must(mayGo, `${before.status} is not forgotten`);
    must(this.nowMs - before.sinceMs >= keptMs, "only the old is forgotten");
  }

  #checkStatus(before: Claim | null, input: ClaimInput): void {
    const after = this.memory;
    if (after === null || before === null) return;
    must(after.opening >= before.opening, "an opening never decreases");
    must(
      after.opening === before.opening ||
        input.kind === "deliver" ||
        input.kind === "failed" ||
        input.kind === "completed" ||
        input.kind === "erased",
      "only a delivery or the ledger opens",
    );
    const isReopened = input.kind === "failed" && input.opening > before.opening;
    must(before.status !== "completed" || after.status === "completed" || isReopened, "completed is final, but for a newer opening of the ledger");
    must(before.status === "failed" || (this.lastReply !== "queued" && this.lastReply !== "requeued"), "only the first delivery is queued");
    must(before.status !== "failed" || after.status !== "claimed" || input.kind === "deliver", "only a delivery re-opens");
    must(after.status !== "enqueued" || after.hasBytes === before.hasBytes, "enqueued keeps what it has");
    must(after.duplicates >= before.duplicates && after.mismatches >= before.mismatches, "counts only grow");
  }

  #checkDisk(): void {
    const { memory, disk } = this;
    must((disk === null) === (memory === null), "memory and disk agree that there is a claim");
    if (memory === null || disk === null) return;
    must(this.armedForMs !== null, `${memory.status} has an alarm`);
    const survives = disk.status === memory.status && disk.opening === memory.opening && disk.sinceMs === memory.sinceMs;
    must(survives, "an eviction changes no status and no opening");
    must(memory.hasBytes === this.hasBytesOnDisk, "the record knows whether there are bytes");
    must(memory.status !== "claimed" || this.hasBytesOnDisk, "claimed keeps its bytes");
    must(memory.status !== "completed" || !this.hasBytesOnDisk, "completed drops them");
    must(memory.status !== "failed" || !memory.stored || !this.hasBytesOnDisk, "failed drops them once the ledger has them");
  }
}
