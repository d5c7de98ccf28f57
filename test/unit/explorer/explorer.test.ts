/** The protocol explored within small bounds (`npm run explore` has larger ones), the explorer tried on broken rules, and its crash points held against the shells'. */
import { describe, expect, it } from "vitest";
import type { FaultPoint } from "../../../src/fault-points.ts";
import { CRASH_POINTS, OUTSIDE } from "../../explorer/crash-points.ts";
import { explore } from "../../explorer/explore.ts";
import { MUTANTS, SPARES } from "../../explorer/mutants.ts";
import { PRODUCTION } from "../../explorer/rules.ts";
import { SCENARIOS, smaller } from "../../explorer/scenarios.ts";
import { productionVerdicts } from "../../explorer/verdicts.ts";

const STATES_LIMIT = 60_000;
const TIMEOUT_MS = 60_000;

describe("the protocol", () => {
  const crashed = new Set<FaultPoint>();

  it.each(Object.entries(SCENARIOS))(
    "keeps its promises whatever happens: %s",
    async (_, scenario) => {
      const result = explore(smaller(scenario), { ...PRODUCTION, verdicts: await productionVerdicts() }, STATES_LIMIT);
      for (const point of result.crashPoints) crashed.add(point);
      expect(result.violations).toEqual([]);
      expect(result.isCut).toBe(false);
      expect(result.states).toBeGreaterThan(1);
    },
    TIMEOUT_MS,
  );

  it("was crashed at every point at which the shells are crashed", () => {
    expect([...crashed].toSorted()).toEqual(CRASH_POINTS.toSorted());
  });

  it("has few points outside of one event's world", () => {
    expect(Object.keys(OUTSIDE)).toEqual(["consume.split", "consume.split_sent", "dead_letter.passed_on"]);
  });
});

describe("a broken rule is found, by the promise that it breaks", () => {
  it.each(Object.entries(MUTANTS))(
    "%s",
    (_, { scenario, rules, breaks }) => {
      const [violation] = explore(scenario, rules, STATES_LIMIT, "first").violations;
      expect(breaks.some((promise) => violation?.promise.startsWith(promise) === true)).toBe(true);
      expect(violation?.trace.length).toBeGreaterThan(0);
    },
    TIMEOUT_MS,
  );

  it.each(Object.entries(MUTANTS))(
    "and is what breaks it, since without it the same world holds: %s",
    (_, { scenario }) => {
      const { violations, isCut } = explore(scenario, PRODUCTION, STATES_LIMIT);
      expect(violations).toEqual([]);
      expect(isCut).toBe(false);
    },
    TIMEOUT_MS,
  );
});

describe("a broken rule behind which another one stands breaks nothing", () => {
  it.each(Object.entries(SPARES))("%s", (_, { scenario, rules }) => {
    expect(explore(scenario, rules, STATES_LIMIT).violations).toEqual([]);
  });
});
