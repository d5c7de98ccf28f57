/** `npm run explore`: every interleaving of one event's way, within stated bounds, through the production decisions. */
import { join } from "node:path";
import type { Command } from "commander";
import { ROOT } from "../root.ts";

interface Flags {
  readonly deep?: boolean;
  readonly json?: boolean;
  readonly list?: boolean;
  readonly mutants?: boolean;
  readonly scenario?: string[];
}

export function registerExplore(program: Command): void {
  program
    .command("explore")
    .description(
      "Explores every interleaving of one event's way within bounds (test/explorer): prints states, transitions and whatever breaks; two minutes at most.",
    )
    .option("--deep", "one more of each fault and delivery: hours")
    .option("--json", "the result as one JSON object")
    .option("--scenario <name...>", "only these")
    .option("--list", "the scenarios and their bounds")
    .option("--mutants", "break each rule on purpose instead, and show the trace that gives it away")
    .addHelpText("after", "\nExit codes: 0 everything holds, 1 a promise is broken (its shortest trace is shown), 2 wrong arguments.")
    .action(async (flags: Flags) => {
      const { runTool } = await import("../run.ts");
      const args = [
        ...(["deep", "json", "list", "mutants"] as const).flatMap((name) => (flags[name] === true ? [`--${name}`] : [])),
        ...(flags.scenario ?? []).flatMap((name) => ["--scenario", name]),
      ];
      process.exitCode = (await runTool(process.execPath, [join(ROOT, "test", "explorer", "run.ts"), ...args], "show")).code;
    });
}
