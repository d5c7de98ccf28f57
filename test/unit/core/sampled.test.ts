/** Which successes are logged. */
import { expect, test } from "vitest";
import { isSampled } from "../../../src/core/sampled.ts";

const key = (id: string) => ({ source: "stripe", id });
const ids = Array.from({ length: 20_000 }, (_, index) => `evt_${index}`);

test.each([0.01, 0.1, 0.5])("about %f of the events are sampled, however alike their ids", (rate) => {
  const share = ids.filter((id) => isSampled(key(id), rate)).length / ids.length;
  expect(Math.abs(share - rate)).toBeLessThan(rate * 0.15);
});

test("one event is always answered alike, 0 is none, 1 is all", () => {
  for (const id of ids.slice(0, 200)) {
    expect(isSampled(key(id), 0.3)).toBe(isSampled(key(id), 0.3));
    expect(isSampled(key(id), 0)).toBe(false);
    expect(isSampled(key(id), 1)).toBe(true);
  }
});

test("a larger share has all events of a smaller one", () => {
  for (const id of ids.slice(0, 2_000)) if (isSampled(key(id), 0.1)) expect(isSampled(key(id), 0.2)).toBe(true);
});
