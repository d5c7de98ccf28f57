/** `npm run tail`: the log of a deployed Worker, or of `npm run dev`, in lines that somebody can read. */
import type { Command } from "commander";
import { say } from "../terminal.ts";
import { wholeNumber } from "./numbers.ts";

interface Flags {
  readonly source?: string;
  readonly event?: string;
  readonly failed?: boolean;
  readonly json?: boolean;
  readonly local?: boolean;
  readonly stdin?: boolean;
  readonly lines: number;
  readonly dataDir?: string;
}

export function registerTail(program: Command): void {
  program
    .command("tail")
    .description(
      "Reads the Worker's log as it is written. Without --local or --stdin it asks `wrangler tail`, which gets every option that is not named here.",
    )
    .argument("[wrangler-options...]", "such as --env production, or the Worker's name")
    .allowUnknownOption()
    .option("--source <name>", "only lines about this source")
    .option("--event <id>", "only lines about this event")
    .option("--failed", "only warnings and errors")
    .option("--local", "the log of the running `npm run dev`: its last lines, then what comes")
    .option("--stdin", "a log from standard input: of wrangler, of this program's --json, or any other")
    .option("--lines <n>", "with --local: how many of the lines that are there already", wholeNumber(0), 20)
    .option("--json", "the Worker's lines as JSON, one a line, on stdout; anything else on stderr")
    .option("--data-dir <folder>", "with --local: the data folder of the running `npm run dev` (default: .data)")
    .addHelpText(
      "after",
      "\nCtrl-C ends it. Exit codes: 0 ended by you or by the end of the input, 1 wrangler or the local log failed, 2 wrong arguments.",
    )
    .action(async (wranglerOptions: readonly string[], flags: Flags) => {
      const others = wranglerOptions.join(" ");
      if (flags.local === true && flags.stdin === true) return usage("give --local or --stdin, not both");
      if ((flags.local === true || flags.stdin === true) && others !== "")
        return usage(`"${others}" is for wrangler, which --local and --stdin do not ask`);
      const { tail } = await import("../log/tail.ts");
      const filter = { source: flags.source, event: flags.event, failed: flags.failed };
      const from = flags.local === true ? "local" : flags.stdin === true ? "stdin" : "wrangler";
      process.exitCode = await tail({ from, filter, json: flags.json === true, lines: flags.lines, dataDir: flags.dataDir, wranglerOptions });
    });
}

function usage(sentence: string): void {
  say(sentence);
  process.exitCode = 2;
}
