/** The steps of `npm run check`, `npm test` and `npm run ci`, and their run: each timed, none skipped, all of them even after a failure. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../root.ts";
import { runTool } from "../run.ts";
import { findChromium, NO_CHROMIUM } from "./chromium.ts";
import { lastLine, sum, tallyVitest, type Tally, type VitestReport } from "./tally.ts";

interface Step {
  readonly name: string;
  run(): Promise<Tally>;
}

/** One tool, one verdict. Its output is shown when it fails. */
function tool(name: string, command: string, args: readonly string[]): Step {
  return {
    name,
    async run() {
      const { code, output } = await runTool(command, args, "keep");
      if (code !== 0) process.stdout.write(output);
      return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
    },
  };
}

/** Every test counts; vitest shows its own progress, or all of it when it has ended. */
function vitest(name: string, args: readonly string[], show: "as it goes" | "at its end" = "as it goes"): Step {
  return {
    name,
    async run() {
      const folder = mkdtempSync(join(tmpdir(), "holdfast-report-"));
      const file = join(folder, "report.json");
      try {
        const flags = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`, ...args];
        const { code, output } = await runTool("vitest", flags, show === "as it goes" ? "show" : "keep");
        if (show === "at its end") process.stdout.write(output);
        return tallyVitest(readReport(file), code);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Side by side: one waits most of the time. */
function beside(...steps: readonly Step[]): Step {
  return { name: steps.map((step) => step.name).join(" and "), run: async () => sum(await Promise.all(steps.map((step) => step.run()))) };
}

const STATIC: readonly Step[] = [
  tool("types (src)", "tsc", ["-p", "tsconfig.json"]),
  tool("types (src, without the user's files and without Node)", "tsc", ["-p", "test/runtime/tsconfig.json"]),
  tool("types (the console's script)", "tsc", ["-p", "src/console/script/tsconfig.json"]),
  tool("types (cli)", "tsc", ["-p", "cli/tsconfig.json"]),
  tool("types (test)", "tsc", ["-p", "test/tsconfig.json"]),
  tool("lint", "oxlint", ["--type-aware"]),
  tool("format", "oxfmt", ["--check"]),
];
const BINDINGS = tool("types of the bindings", "wrangler", ["types", "--include-runtime=false", "--env-file", ".dev.vars.example", "--check"]);

export const oracleStep: Step = {
  name: "oracles (the providers' own packages)",
  async run() {
    const { runOracles } = await import("./oracles.ts");
    return runOracles();
  },
};

const plantedStep: Step = {
  name: "planted defects",
  async run() {
    const { runPlanted } = await import("./planted.ts");
    return runPlanted(undefined, false);
  },
};

export const crashStep: Step = vitest("crash tests (every fault point: throw, hang, kill)", ["--project", "crash"]);

/** Where there is no Chromium it is left out, visibly; in CI that is a failure. */
export const browserStep = (patterns: readonly string[] = []): Step => ({
  name: "browser tests (the console in Chromium)",
  async run() {
    if (findChromium() !== null) return vitest(this.name, ["--project", "browser", ...patterns]).run();
    const isCi = process.env["CI"] !== undefined;
    console.log(`browser tests ${isCi ? "cannot run" : "skipped"}: ${NO_CHROMIUM}`);
    return isCi ? { passed: 0, failed: 1, skipped: 0 } : { passed: 0, failed: 0, skipped: 1 };
  },
});

/** A command of ours, shown as it goes: one verdict. */
function command(name: string, args: readonly string[]): Step {
  return {
    name,
    async run() {
      const { code } = await runTool(process.execPath, [join(ROOT, "cli", "main.ts"), ...args], "show");
      return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
    },
  };
}
const exploreStep: Step = command("explorer (every interleaving of one event's way)", ["explore"]);
/** One seed, so that ci says the same of the same code; `npm run chaos` takes another one each time. */
const chaosStep: Step = command("chaos (two minutes)", ["chaos", "--minutes", "2", "--seed", "2"]);

/** What is too heavy for `npm test` is added here. */
const HEAVY: readonly Step[] = [oracleStep, exploreStep, browserStep(), crashStep, plantedStep, chaosStep];

export const checkSteps: readonly Step[] = [...STATIC, vitest("unit tests", ["--project", "unit"])];
/** The end-to-end tests wait for leases and retries; the others use the other core meanwhile. */
const ALL_TESTS = beside(
  vitest("tests", ["--project", "!e2e", "--project", "!browser", "--project", "!crash"]),
  vitest("end-to-end tests", ["--project", "e2e"], "at its end"),
);

export const testSteps = (patterns: readonly string[]): Step[] => [
  ...STATIC,
  BINDINGS,
  patterns.length === 0 ? ALL_TESTS : vitest("tests", patterns),
];
export const ciSteps: readonly Step[] = [...testSteps([]), ...HEAVY];

/** Resolves to the exit code. The last line is `N passed, N failed`. */
export async function runSteps(steps: readonly Step[]): Promise<number> {
  const startedMs = Date.now();
  const tallies: Tally[] = [];
  const failed: string[] = [];
  for (const step of steps) {
    const stepMs = Date.now();
    const tally = await step.run();
    tallies.push(tally);
    if (tally.failed > 0) failed.push(step.name);
    console.log(`${tally.failed === 0 ? "✓" : "✗"} ${step.name} ${seconds(stepMs)}`);
  }
  const total = sum(tallies);
  console.log(`\n${failed.length === 0 ? "all steps passed" : `failed: ${failed.join(", ")}`} ${seconds(startedMs)}`);
  console.log(lastLine(total));
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
}

const seconds = (sinceMs: number): string => `(${((Date.now() - sinceMs) / 1_000).toFixed(1)} s)`;

function readReport(file: string): VitestReport | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as VitestReport;
  } catch {
    return null;
  }
}
