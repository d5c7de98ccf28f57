/** `npm run test:oracles`, `test:browser`, `test:crash`, `test:planted` and `bench`: what asks more of a machine than `npm test` should. */
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { InvalidArgumentError, type Command } from "commander";
import { ROOT } from "../root.ts";

export function registerOracles(program: Command): void {
  program
    .command("test:oracles")
    .description(
      "Installs the providers' official packages (test/oracles, 0.7 GB, about a minute the first time) and compares them with our presets.",
    )
    .addHelpText("after", "\nExit codes: 0 all agree, 1 not so. The last line is `N passed, N failed`.")
    .action(async () => {
      const { runSteps, oracleStep } = await import("../checks/steps.ts");
      process.exitCode = await runSteps([oracleStep]);
    });
  program
    .command("test:planted")
    .description("Plants known mistakes, one by one, in a copy of this checkout, and shows which test notices; about half a minute each.")
    .option("--only <text>", "only the defects whose name contains this")
    .option("--list", "show the defects, and run nothing")
    .option("--json", "the verdicts as JSON")
    .addHelpText("after", "\nExit codes: 0 every one was caught, 1 one survived or could not be planted. The last line is `N passed, N failed`.")
    .action(async (options: { readonly only?: string; readonly list?: true; readonly json?: true }) => {
      const { listPlanted, runPlanted } = await import("../checks/planted.ts");
      const { lastLine } = await import("../checks/tally.ts");
      if (options.list === true) return listPlanted();
      const tally = await runPlanted(options.only, options.json === true);
      if (options.json !== true) console.log(lastLine(tally));
      // The Postgres of the tests ends with this process.
      process.exit(tally.failed === 0 ? 0 : 1);
    });
  program
    .command("test:crash")
    .description("Breaks the real stack at every fault point of src/fault-points.ts: throw, hang, kill. Some minutes.")
    .addHelpText("after", "\nExit codes: 0 everything passed, 1 not so. The last line is `N passed, N failed`.")
    .action(async () => {
      const { runSteps, crashStep } = await import("../checks/steps.ts");
      process.exitCode = await runSteps([crashStep]);
    });
  program
    .command("test:browser")
    .description("Drives the console in this machine's Chromium, on a ledger of a million events. Some minutes.")
    .argument("[patterns...]", "only test files whose path contains one of these")
    .option("--screenshots <folder>", "write a picture of each page there: light, dark, and as wide as a phone")
    .addHelpText("after", "\nExit codes: 0 everything passed, 1 not so, or there is no Chromium. The last line is `N passed, N failed`.")
    .action(async (patterns: string[], options: { readonly screenshots?: string }) => {
      // Vitest's processes inherit it.
      if (options.screenshots !== undefined) process.env["SCREENSHOTS"] = resolve(options.screenshots);
      const { browserStep, runSteps } = await import("../checks/steps.ts");
      process.exitCode = await runSteps([browserStep(patterns)]);
    });
  program
    .command("bench")
    .description(`Measures, as a ratio against a floor in the same run: ${names().join(", ")}.`)
    .argument("<name>", "which one", known)
    .argument("[options...]", "its own, such as --json: see the top of bench/<name>.ts")
    .allowUnknownOption()
    .action(async (name: string, options: readonly string[]) => {
      const { runTool } = await import("../run.ts");
      process.exitCode = (await runTool(process.execPath, [join(ROOT, "bench", `${name}.ts`), ...options], "show")).code;
    });
}

/** What is measured is `bench/<name>.ts`; its parts are in `bench/parts`. */
function names(): string[] {
  return readdirSync(join(ROOT, "bench")).flatMap((file) => (file.endsWith(".ts") ? [file.slice(0, -3)] : []));
}

function known(name: string): string {
  if (existsSync(join(ROOT, "bench", `${name}.ts`)) && names().includes(name)) return name;
  throw new InvalidArgumentError(`There is ${names().join(", ")}.`);
}
