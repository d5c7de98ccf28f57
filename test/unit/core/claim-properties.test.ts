/** DESIGN 3.2 under whatever order of deliveries, outcomes, outages, evictions and alarms: the world checks its promises after each step. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ClaimInput } from "../../../src/core/claim.ts";
import type { EventFacts } from "../../../src/core/event.ts";
import { timings } from "../../../src/core/timings.ts";
import { ClaimWorld } from "./claim-world.ts";

const START_MS = 1_800_000_000_000;
const DAY_MS = 24 * 3_600_000;

const factsOf = (digest: string): EventFacts => ({
  source: "generic",
  id: "evt",
  type: "credit",
  receivedAtMs: START_MS,
  occurredAtMs: null,
  digest,
  contentType: "",
  headers: {},
  bytesLength: 1,
});

type Move = (world: ClaimWorld) => void;
const feed =
  (input: (world: ClaimWorld) => ClaimInput): Move =>
  (world) =>
    world.feed(input(world));
const nearOpening = fc.integer({ min: -2, max: 2 });
const openingOf = (world: ClaimWorld, offset: number): number => Math.max(0, (world.memory?.opening ?? START_MS) + offset);

const fair: readonly fc.Arbitrary<Move>[] = [
  fc.constantFrom("a", "b").map((digest) => feed(() => ({ kind: "deliver", facts: factsOf(digest) }))),
  fc
    .tuple(nearOpening, fc.boolean())
    .map(([offset, hasBytes]) => feed((world) => ({ kind: "adopt", facts: factsOf("a"), opening: openingOf(world, offset), hasBytes }))),
  fc.boolean().map((isTaken) => (world) => world.answerRelay(isTaken)),
  fc.constant((world) => world.fireAlarm()),
  fc.constant((world) => world.evict()),
  nearOpening.map((offset) => feed((world) => ({ kind: "completed", opening: openingOf(world, offset) }))),
  nearOpening.map((offset) => feed((world) => ({ kind: "erased", opening: openingOf(world, offset) }))),
  fc.tuple(nearOpening, fc.boolean()).map(([offset, stored]) => feed((world) => ({ kind: "failed", opening: openingOf(world, offset), stored }))),
  fc.constantFrom(1_000, 29_000, 31_000, 20 * 60_000, DAY_MS, 8 * DAY_MS, 31 * DAY_MS, -5_000).map((ms) => (world) => {
    world.nowMs += ms;
  }),
];
/** What no correct shell does, and a step has to bear: alarms that nobody set, sends that nobody made. */
const unfair: readonly fc.Arbitrary<Move>[] = [
  fc.constant((world) => {
    if (world.memory !== null) world.feed({ kind: "alarm" });
  }),
  fc
    .tuple(nearOpening, fc.boolean())
    .map(([offset, isTaken]) => feed((world) => ({ kind: isTaken ? "sent" : "refused", opening: openingOf(world, offset) }))),
];
const story = (moves: readonly fc.Arbitrary<Move>[]) => fc.array(fc.oneof(...moves), { minLength: 1, maxLength: 30 });

describe.each(["real", "fast"] as const)("timings %s", (speed) => {
  const newWorld = (): ClaimWorld => new ClaimWorld(START_MS, timings(speed));
  const play = (moves: readonly Move[]): ClaimWorld => {
    const world = newWorld();
    for (const move of moves) move(world);
    return world;
  };

  it("every promise holds after every step", () => {
    fc.assert(
      fc.property(story([...fair, ...unfair]), (moves) => {
        play(moves);
      }),
      { numRuns: 1_000 },
    );
  });

  it("nothing is stuck: from wherever it is, alarms alone bring an open event to the queue", () => {
    fc.assert(
      fc.property(story(fair), (moves) => {
        const world = play(moves);
        fc.pre(world.memory?.status === "claimed" || world.memory?.status === "enqueued");
        const since = { sends: world.sends, nowMs: world.nowMs };
        world.evict();
        // A claimed event needs one alarm; one that the queue had, its watchdog.
        for (let alarms = 0; alarms < 2 && world.sends === since.sends; alarms++) world.fireAlarm();
        expect(world.sends).toBeGreaterThan(since.sends);
        expect(world.nowMs - since.nowMs).toBeLessThanOrEqual(2 * DAY_MS);
        world.answerRelay(true);
        world.fireAlarm();
        expect(world.memory?.status).toBe("enqueued");
      }),
      { numRuns: 500 },
    );
  });

  it("an outage of the queue never ends the sending, and its end is noticed within the hour", () => {
    fc.assert(
      fc.property(story(fair), fc.integer({ min: 1, max: 30 }), fc.boolean(), (moves, refusals, evicts) => {
        const world = play(moves);
        fc.pre(world.memory?.status === "claimed" && world.memory.sentMs === null);
        world.answerRelay(false);
        for (let count = 0; count < refusals; count++) {
          if (evicts) world.evict();
          world.fireAlarm();
          expect(world.relaying, "the alarm sends").not.toBeNull();
          world.answerRelay(false);
        }
        expect((world.armedForMs ?? Infinity) - world.nowMs).toBeLessThanOrEqual(timings("real").resendSlowMs);
        world.fireAlarm();
        world.answerRelay(true);
        world.fireAlarm();
        expect(world.memory).toMatchObject({ status: "enqueued", refusals: 0 });
      }),
      { numRuns: 200 },
    );
  });

  it("everything settled is forgotten in the end, unless its bytes are nowhere else", () => {
    fc.assert(
      fc.property(story(fair), (moves) => {
        const world = play(moves);
        const { memory } = world;
        fc.pre(memory?.status === "completed" || memory?.status === "failed");
        world.evict();
        for (let alarms = 0; alarms < 3; alarms++) world.fireAlarm();
        expect(world.memory === null).toBe(memory.status === "completed" || memory.stored || !memory.hasBytes);
        expect(world.hasBytesOnDisk).toBe(memory.status === "failed" && memory.hasBytes);
      }),
      { numRuns: 500 },
    );
  });

  it("of any crowd of deliveries of one event, one is queued", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "c"), { minLength: 2, maxLength: 50 }), fc.array(fc.boolean()), (digests, taken) => {
        const world = newWorld();
        const replies = digests.map((digest, index) => {
          world.feed({ kind: "deliver", facts: factsOf(digest) });
          const reply = world.lastReply;
          const answer = taken[index];
          if (answer !== undefined) world.answerRelay(answer);
          return reply;
        });
        expect(replies).toEqual(["queued", ...digests.slice(1).map(() => "pending")]);
        expect(world.memory).toMatchObject({ duplicates: digests.length - 1, mismatches: digests.filter((digest) => digest !== digests[0]).length });
      }),
    );
  });
});
