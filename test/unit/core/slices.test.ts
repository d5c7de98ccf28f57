/** Pieces keep the order, lose nothing, and are within the bounds but where one item alone is not. */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { slicesOf } from "../../../src/core/slices.ts";

const own = (weight: number): number => weight;

it.each([
  [[], []],
  [[3, 4, 3], [[3, 4, 3]]],
  [
    [3, 4, 4],
    [[3, 4], [4]],
  ],
  [
    [11, 1, 11],
    [[11], [1], [11]],
  ],
  [[10, 0], [[10, 0]]],
])("%j", (weights, expected) => expect(slicesOf(weights, own, 10)).toEqual(expected));

it("counts too, where it is asked to", () => expect(slicesOf([1, 1, 1], own, 10, 2)).toEqual([[1, 1], [1]]));

it("weighs an item again in the piece that it begins", () => {
  const sharedOnce = (name: string, slice: readonly string[]): number => 1 + (slice.includes(name) ? 0 : 5);
  expect(slicesOf(["a", "a", "a", "b", "b"], sharedOnce, 10)).toEqual([
    ["a", "a", "a"],
    ["b", "b"],
  ]);
});

it("holds for any list", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(15)), fc.integer({ min: 1, max: 5 }), (weights, count) => {
      const slices = slicesOf(weights, own, 10, count);
      expect(slices.flat()).toEqual(weights);
      for (const slice of slices)
        expect(slice.length > 0 && slice.length <= count && (slice.length === 1 || slice.reduce((a, b) => a + b, 0) <= 10)).toBe(true);
    }),
  );
});
