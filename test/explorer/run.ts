/** `npm run explore`: every scenario within its bound, as a table; what is broken with its shortest trace. Exit code 1 if anything is. */
import { parseArgs } from "node:util";
import type { FaultPoint } from "../../src/fault-points.ts";
import { CRASH_POINTS } from "./crash-points.ts";
import { explore, type Exploration } from "./explore.ts";
import { MUTANTS, SPARES } from "./mutants.ts";
import { PRODUCTION, type Rules } from "./rules.ts";
import { deeper, SCENARIOS, type Scenario } from "./scenarios.ts";
import { productionVerdicts } from "./verdicts.ts";

const STATES_LIMIT = { normal: 2_000_000, deep: 12_000_000 };

const { values: flags } = parseArgs({
  options: {
    deep: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    mutants: { type: "boolean", default: false },
    scenario: { type: "string", multiple: true, default: [] },
  },
});

const thousands = (n: number): string => n.toLocaleString("en");
const line = (name: string, states: string, transitions: string, seconds: string, verdict: string): string =>
  `${name.padEnd(14)}${states.padStart(11)}${transitions.padStart(13)}${seconds.padStart(9)}  ${verdict}`;

function show({ violations }: Pick<Exploration, "violations">): void {
  for (const { promise, trace, end } of violations) {
    console.log(`  BROKEN  ${promise}`);
    trace.forEach((label, index) => console.log(`    ${String(index + 1).padStart(3)}. ${label}`));
    console.log(`     =>  ${end}`);
  }
}

function verdictOf({ violations, isCut }: Exploration): string {
  if (violations.length > 0) return "BROKEN";
  return isCut ? "holds as far as it got (the limit of states was reached)" : "holds";
}

function runScenarios(chosen: readonly (readonly [string, Scenario])[], rules: Rules): boolean {
  const crashed = new Set<FaultPoint>();
  const results: object[] = [];
  let isBroken = false;
  let [states, transitions] = [0, 0];
  const startMs = Date.now();
  if (!flags.json) console.log(line("scenario", "states", "transitions", "seconds", ""));
  for (const [name, scenario] of chosen) {
    const sinceMs = Date.now();
    const result = explore(flags.deep ? deeper(scenario) : scenario, rules, flags.deep ? STATES_LIMIT.deep : STATES_LIMIT.normal);
    const seconds = (Date.now() - sinceMs) / 1_000;
    for (const point of result.crashPoints) crashed.add(point);
    states += result.states;
    transitions += result.transitions;
    isBroken ||= result.violations.length > 0;
    results.push({ name, states: result.states, transitions: result.transitions, seconds, isCut: result.isCut, violations: result.violations });
    if (flags.json) continue;
    console.log(line(name, thousands(result.states), thousands(result.transitions), seconds.toFixed(1), verdictOf(result)));
    show(result);
  }
  const missed = chosen.length === Object.keys(SCENARIOS).length ? CRASH_POINTS.filter((point) => !crashed.has(point)) : [];
  if (flags.json) console.log(JSON.stringify({ states, transitions, scenarios: results, crashPoints: [...crashed].toSorted(), missed }));
  else {
    console.log(line("total", thousands(states), thousands(transitions), ((Date.now() - startMs) / 1_000).toFixed(1), isBroken ? "BROKEN" : "holds"));
    console.log(
      `${crashed.size} of ${CRASH_POINTS.length} crash points were crashed at${missed.length > 0 ? `; never at ${missed.join(", ")}` : ""}`,
    );
  }
  return isBroken || missed.length > 0;
}

/** Shows that broken rules are found, and how soon. */
function runMutants(): boolean {
  let isMissed = false;
  for (const [name, { scenario, rules }] of Object.entries(MUTANTS)) {
    const result = explore(scenario, rules, STATES_LIMIT.normal, "first");
    isMissed ||= result.violations.length === 0;
    console.log(`${result.violations.length === 0 ? "NOT FOUND" : "found"}: ${name} (${thousands(result.states)} states)`);
    show({ violations: result.violations.slice(0, 1) });
  }
  for (const [name, { scenario, rules }] of Object.entries(SPARES)) {
    const isHarmless = explore(scenario, rules).violations.length === 0;
    isMissed ||= !isHarmless;
    console.log(`${isHarmless ? "breaks nothing" : "BREAKS"}: ${name}`);
  }
  return isMissed;
}

const unknown = flags.scenario.filter((name) => SCENARIOS[name] === undefined);
const chosen = Object.entries(SCENARIOS).filter(([name]) => flags.scenario.length === 0 || flags.scenario.includes(name));
if (unknown.length > 0) {
  console.error(`There is no scenario ${unknown.join(", ")}; --list shows them.`);
  process.exitCode = 2;
} else if (flags.list) {
  for (const [name, scenario] of chosen) console.log(`${name.padEnd(14)}${JSON.stringify(scenario)}`);
} else if (flags.mutants) {
  process.exitCode = runMutants() ? 1 : 0;
} else {
  process.exitCode = runScenarios(chosen, { ...PRODUCTION, verdicts: await productionVerdicts() }) ? 1 : 0;
}
