/** `npm run chaos`: load, and faults as a seed says, on a stack of its own; then whether anything was lost, doubled or stuck. */
import { Option, type Command } from "commander";
import { wholeNumber } from "./numbers.ts";

interface Flags {
  readonly minutes: number;
  readonly seed?: number;
  readonly stack?: "miniflare" | "dev";
  readonly rate: number;
  readonly keep?: boolean;
  readonly json?: boolean;
}

const SEEDS = 2 ** 31;
/** One run in three is on the stack that developers have; the other starts again faster, so that more faults fit. */
const DEV_EVERY = 3;

export function registerChaos(program: Command): void {
  program
    .command("chaos")
    .description(
      "Loads a stack of its own while it kills, cuts, pauses and evicts its parts, and says at the end whether anything was lost, doubled or stuck.",
    )
    .option("--minutes <n>", "how long to load and strike; it then waits up to two more for what is open", wholeNumber(1), 10)
    .option("--seed <n>", "the same seed sends the same events and strikes the same faults; otherwise a new one", wholeNumber(0, SEEDS))
    .addOption(new Option("--stack <name>", "which one (otherwise dev for every third seed)").choices(["miniflare", "dev"]))
    .option("--rate <n>", "new events a second; each is delivered once to four times", wholeNumber(1, 100), 3)
    .option("--keep", "keep the data and the Worker's log also when nothing is wrong")
    .option("--json", "the verdict as one line of JSON")
    .addHelpText("after", "\nExit codes: 0 nothing lost, doubled or stuck, 1 not so, 2 wrong arguments, 130 interrupted.")
    .action(async (flags: Flags) => {
      const { runChaos } = await import("../chaos/run.ts");
      const seed = flags.seed ?? Math.floor(Math.random() * SEEDS);
      const stack = flags.stack ?? (seed % DEV_EVERY === 0 ? "dev" : "miniflare");
      const { minutes, rate: eventsPerSecond, keep = false, json = false } = flags;
      const code = await runChaos({ minutes, seed, stack, eventsPerSecond, keep, json });
      // Not exitCode: sockets to what was killed may still be closing.
      process.exit(code);
    });
}
