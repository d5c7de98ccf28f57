/** DESIGN 3.2, every state under every input, cell by cell. */
import { describe, expect, it } from "vitest";
import { type Claim, step } from "../../../src/core/claim.ts";
import { timings } from "../../../src/core/timings.ts";
import { claimOf, INPUTS, type InputName, inWords, NOW_MS, STATES, type StateName } from "./claim-states.ts";
import { TABLE } from "./claim-table.ts";

const REAL = timings("real");
const stateNames = Object.keys(STATES) as StateName[];
const inputNames = Object.keys(INPUTS) as InputName[];
const run = (state: StateName, input: InputName) => step(STATES[state], INPUTS[input], NOW_MS, REAL);

it("the table has a cell for every state under every input, and none besides", () => {
  expect(Object.keys(TABLE).toSorted()).toEqual(stateNames.toSorted());
  for (const state of stateNames) expect(Object.keys(TABLE[state]).toSorted(), state).toEqual(inputNames.toSorted());
});

it("the states cover every status, and the inputs every kind", () => {
  expect(new Set(Object.values(STATES).map((state) => state?.status))).toEqual(new Set([undefined, "claimed", "enqueued", "completed", "failed"]));
  expect(new Set(Object.values(INPUTS).map((input) => input.kind))).toEqual(
    new Set(["deliver", "adopt", "sent", "refused", "alarm", "completed", "failed", "erased"]),
  );
});

describe.each(stateNames)("%s", (state) => {
  it.each(inputNames)("%s", (input) => expect(inWords(STATES[state], run(state, input))).toBe(TABLE[state][input]));
});

describe("what the words leave out", () => {
  it("an opening is now, but always above the one before: clocks go backwards", () => {
    expect(run("unclaimed", "deliver").next?.opening).toBe(NOW_MS);
    expect(run("failed, stored", "deliver").next?.opening).toBe(NOW_MS);
    const ahead = claimOf("failed", 0, { opening: NOW_MS + 5 });
    expect(step(ahead, INPUTS.deliver, NOW_MS, REAL).next?.opening).toBe(NOW_MS + 6);
  });

  it("a newer failure moves the opening up; one told to an empty object sets it", () => {
    expect(run("claimed", "failed, newer").next?.opening).toBe(INPUTS["failed, newer"].opening);
    expect(run("unclaimed", "failed").next?.opening).toBe(INPUTS.failed.opening);
    expect(run("unclaimed", "adopt").next?.opening).toBe(INPUTS.adopt.opening);
  });

  it("completion keeps the opening and the first digest, so that other bytes are still noticed", () => {
    expect(run("claimed", "completed").next).toMatchObject({ opening: claimOf("claimed", 0).opening, facts: { digest: "first" }, hasBytes: false });
  });

  it("erasing leaves no header, keeps the first digest, and never lowers the opening", () => {
    for (const status of ["claimed", "enqueued", "completed", "failed"] as const) {
      const before = claimOf(status, 0);
      const kept = claimOf(status, 0, { facts: before.facts === null ? null : { ...before.facts, headers: { "x-user": "ada" } } });
      expect(step(kept, INPUTS["erased, older"], NOW_MS, REAL).next).toEqual({
        ...claimOf("completed", 0),
        facts: { ...before.facts, headers: {} },
      });
    }
  });

  it("other bytes are counted and never replace the first", () => {
    for (const state of ["claimed", "enqueued", "completed", "failed, not stored"] as const) {
      expect(run(state, "deliver other bytes").next, state).toMatchObject({ duplicates: 1, mismatches: 1, facts: { digest: "first" } });
    }
    expect(run("failed, stored", "deliver other bytes").next).toMatchObject({ duplicates: 1, mismatches: 1 });
    expect(run("failed, stored", "deliver").next).toMatchObject({ duplicates: 1, mismatches: 0 });
  });

  it("a restored ledger: what completed before it is opened again by a redelivery, what completed since is done", () => {
    const claim = claimOf("completed", 60_000);
    const after = (restoredAtMs: number | null) => step(claim, { ...INPUTS.deliver, restoredAtMs }, NOW_MS, REAL);
    expect(inWords(claim, after(claim.sinceMs + 1))).toBe('claimed, put bytes, arm 30s, send, "requeued"');
    expect(after(claim.sinceMs + 1).next?.opening).toBeGreaterThan(claim.opening);
    for (const restoredAtMs of [claim.sinceMs, null]) expect(after(restoredAtMs).reply).toEqual({ kind: "done", otherDigest: null });
    // Nothing else doubts what it knows: its bytes, or its message, are on their way.
    for (const status of ["claimed", "enqueued"] as const)
      expect(step(claimOf(status, 60_000), { ...INPUTS.deliver, restoredAtMs: NOW_MS }, NOW_MS, REAL).reply.kind, status).toBe("pending");
  });

  it("a mismatch is told to the queue at its powers of two only", () => {
    let claim: Claim | null = claimOf("claimed", 0);
    const sends: number[] = [];
    for (let count = 1; count <= 40; count++) {
      const { next, effects } = step(claim, INPUTS["deliver other bytes"], NOW_MS, REAL);
      if (effects.some((effect) => effect.kind === "send")) sends.push(count);
      claim = next;
    }
    expect(sends).toEqual([1, 2, 4, 8, 16, 32]);
  });

  it("the first failure of a re-opened event is not yet stored, whatever the one before was", () => {
    expect(run("failed, stored", "deliver").next).toMatchObject({ stored: false, hasBytes: true, sentMs: null, refusals: 0 });
  });

  it("a send that the queue took ends the refusals; a refused one counts on from the first", () => {
    expect(run("claimed, 2 refusals", "sent").next).toMatchObject({ sentMs: NOW_MS, refusals: 0, refusedSinceMs: null });
    expect(run("claimed, 2 refusals", "refused").next).toMatchObject({ refusals: 3, refusedSinceMs: NOW_MS - 2_000 });
    expect(run("claimed", "refused").next).toMatchObject({ refusals: 1, refusedSinceMs: NOW_MS });
  });

  it("the fourth send has no bytes: after three refusals the size may be the reason", () => {
    const after = (refusals: number) => step(claimOf("claimed", 0, { refusals }), INPUTS.alarm, NOW_MS, REAL).effects.at(-1);
    expect([2, 3].map(after)).toEqual([
      { kind: "send", bare: false },
      { kind: "send", bare: true },
    ]);
  });
});
