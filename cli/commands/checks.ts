/** `npm run check`, `npm test`, `npm run ci`: from a minute to everything. */
import type { Command } from "commander";

const EXIT_CODES = "\nExit codes: 0 everything passed, 1 not so (or no test ran), 2 wrong arguments. The last line is `N passed, N failed`.";

export function registerChecks(program: Command): void {
  program
    .command("check")
    .description("Types, lint, format and the unit tests; under a minute.")
    .addHelpText("after", EXIT_CODES)
    .action(async () => {
      const { checkSteps, runSteps } = await import("../checks/steps.ts");
      process.exitCode = await runSteps(checkSteps);
    });
  program
    .command("test")
    .description("Types, lint, format, the bindings' types, and every test: unit, worker, integration, fault, end to end; under ten minutes.")
    .argument("[patterns...]", "only test files whose path contains one of these (the other steps run as ever)")
    .addHelpText("after", EXIT_CODES)
    .action(async (patterns: string[]) => {
      const { runSteps, testSteps } = await import("../checks/steps.ts");
      process.exitCode = await runSteps(testSteps(patterns));
    });
  program
    .command("ci")
    .description("What .ci/run calls: `npm test`, then the heavy suites.")
    .addHelpText("after", EXIT_CODES)
    .action(async () => {
      const { ciSteps, runSteps } = await import("../checks/steps.ts");
      process.exitCode = await runSteps(ciSteps);
    });
}
