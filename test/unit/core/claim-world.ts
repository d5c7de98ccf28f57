/** One event's object without a runtime: memory, disk, alarm and one relay, driven by steps. It checks the promises of DESIGN 3.2 after each of them. */
import { expect } from "vitest";
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
        expect(effect.atMs, "an alarm is never set to now").toBeGreaterThan(this.nowMs);
        this.armedForMs = effect.atMs;
        return;
      case "send":
        expect(next?.facts, "only what is known can be sent").not.toBeNull();
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
        expect(effect.refusals).toBeGreaterThanOrEqual(10);
    }
  }

  #checkOrder(effects: readonly ClaimEffect[]): void {
    const kinds = effects.map((effect) => effect.kind);
    const firstAct = kinds.findIndex((kind) => !MUST_COME_FIRST.has(kind));
    const lastWrite = kinds.findLastIndex((kind) => MUST_COME_FIRST.has(kind));
    if (firstAct !== -1) expect(lastWrite, "saved and armed before anything is sent").toBeLessThan(firstAct);
    expect(new Set(kinds).size, "no effect twice").toBe(kinds.length);
  }

  #checkForgetting(before: Claim | null, { next, effects }: ClaimStep): void {
    const forgets = effects.some((effect) => effect.kind === "forget");
    expect(forgets, "a record goes only by being forgotten").toBe(next === null && (before !== null || effects.length > 0));
    if (!forgets || before === null) return;
    expect(effects, "forgetting is all that the step does").toHaveLength(1);
    const keptMs = before.status === "completed" ? this.#timings.completedKeptMs : this.#timings.failedKeptMs;
    expect(
      before.status === "completed" || (before.status === "failed" && (before.stored || !this.hasBytesOnDisk)),
      `${before.status} is not forgotten`,
    ).toBe(true);
    expect(this.nowMs - before.sinceMs, "old enough").toBeGreaterThanOrEqual(keptMs);
  }

  #checkStatus(before: Claim | null, input: ClaimInput): void {
    const after = this.memory;
    if (after === null) return;
    if (before !== null) expect(after.opening, "an opening never decreases").toBeGreaterThanOrEqual(before.opening);
    if (before?.status === "completed") expect(after.status, "completed is final").toBe("completed");
    if (before !== null && before.status !== "failed")
      expect(["queued", "requeued"], "only the first delivery is queued").not.toContain(this.lastReply);
    if (before?.status === "failed" && after.status === "claimed") expect(input.kind).toBe("deliver");
    if (before !== null && after.opening > before.opening) expect(["deliver", "failed"], "who may open").toContain(input.kind);
    expect(after.duplicates).toBeGreaterThanOrEqual(before?.duplicates ?? 0);
    expect(after.mismatches).toBeGreaterThanOrEqual(before?.mismatches ?? 0);
  }

  #checkDisk(): void {
    expect(this.disk === null, "memory and disk agree that there is a claim").toBe(this.memory === null);
    if (this.memory === null || this.disk === null) return;
    expect(this.armedForMs, `${this.memory.status} has an alarm`).not.toBeNull();
    expect(this.disk, "an eviction changes no status and no opening").toMatchObject({
      status: this.memory.status,
      opening: this.memory.opening,
      sinceMs: this.memory.sinceMs,
    });
    expect(this.memory.hasBytes, "the record knows whether there are bytes").toBe(this.hasBytesOnDisk);
    if (this.memory.status === "claimed") expect(this.hasBytesOnDisk, "claimed keeps its bytes").toBe(true);
    if (this.memory.status === "completed") expect(this.hasBytesOnDisk, "completed drops them").toBe(false);
    if (this.memory.status === "failed" && this.memory.stored) expect(this.hasBytesOnDisk, "the ledger has them").toBe(false);
  }
}
