/** `npm run replay`: an operator's order to try one event again, or all that a filter means. */
import { InvalidArgumentError, Option, type Command } from "commander";
import { REPLAY_RATE_LIMIT_PER_SECOND, REPLAY_RATE_PER_SECOND, REPLAY_ROWS, REPLAY_ROWS_LIMIT } from "../../src/core/limits.ts";
import { momentMs } from "../../src/core/moments.ts";
import { hasCondition, type OrderFlags, orderOf } from "../replay/order.ts";
import { EXIT_USAGE, say } from "../terminal.ts";
import { wholeNumber } from "./numbers.ts";

interface Flags extends OrderFlags {
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly wait?: number;
  readonly url?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
}

const WAIT_SECONDS = 60;
const OF_GROUPS = [
  "source",
  "status",
  "after",
  "type",
  "from",
  "to",
  "prefix",
  "fingerprint",
  "rate",
  "limit",
  "withPermanent",
  "dryRun",
  "yes",
  "wait",
] as const;

export function registerReplay(program: Command): void {
  program
    .command("replay")
    .description(
      "Opens failed or skipped events again: their handlers run once more on the bytes that are kept. One by its source and id, or all that the conditions mean, which the instance works through by itself. Recorded; of two replays at once one is refused.",
    )
    .argument("[source]", "the event's source")
    .argument("[event-id]", "the event's id, as the provider wrote it")
    .option("--force", "one completed event too: its effect happens once more")
    .option("--source <name>", "all of this source")
    .addOption(new Option("--status <status>", "dead letters, or what nothing was there to handle").choices(["failed", "skipped"]).conflicts("after"))
    .addOption(new Option("--after <status>", "completed events whose after was given up").choices(["failed"]))
    .option("--type <type>", "of this type")
    .option("--from <time>", "received then or later: ISO 8601, in UTC without a zone, or epoch ms", moment)
    .option("--to <time>", "received before that", moment)
    .option("--prefix <text>", "whose id begins so")
    .option("--fingerprint <hex>", "of this kind of failure, as --dry-run shows it")
    .option("--rate <n>", `so many a second (default: ${REPLAY_RATE_PER_SECOND})`, wholeNumber(1, REPLAY_RATE_LIMIT_PER_SECOND))
    .option("--limit <n>", `at most so many, oldest first (default: ${REPLAY_ROWS})`, wholeNumber(1, REPLAY_ROWS_LIMIT))
    .option("--with-permanent", "those too that ended by a PermanentError or bad data")
    .option("--dry-run", "only say how many there are, and of which kinds")
    .option("--yes", "do not ask")
    .option("--wait <seconds>", `how long the events may take to settle after the last was opened (default: ${WAIT_SECONDS})`, wholeNumber(0))
    .option("--reason <text>", "why; it stands in the audit")
    .option("--url <url>", "another instance than the one in .data/dev.json; the token is then ADMIN_TOKEN of the environment, else of .dev.vars")
    .option("--data-dir <folder>", "the data folder of the running `npm run dev` (default: .data)")
    .option("--json", "the instance's answers on stdout, one a line")
    .addHelpText(
      "after",
      "\nThe audit names HOLDFAST_OPERATOR, else the account's name.\nCtrl-C cancels a replay of many: what is opened stays open.\nExit codes: 0 replayed, 1 refused, cancelled or not reachable, 2 wrong arguments, 3 some failed again.",
    )
    .action(async (source: string | undefined, eventId: string | undefined, flags: Flags) => {
      const wrong = wrongIn(source, eventId, flags);
      if (wrong !== null) {
        say(wrong);
        process.exitCode = EXIT_USAGE;
      } else if (source !== undefined && eventId !== undefined) {
        const { replayOne } = await import("../replay/one.ts");
        process.exitCode = await replayOne(source, eventId, flags);
      } else {
        const [{ findInstance }, { openAdmin }, { replayGroup }] = await Promise.all([
          import("../instance.ts"),
          import("../open-admin.ts"),
          import("../replay/group.ts"),
        ]);
        process.exitCode = await replayGroup({
          client: openAdmin(flags),
          url: findInstance(flags).url,
          order: orderOf(flags),
          isDry: flags.dryRun === true,
          isConfirmed: flags.yes === true,
          isJson: flags.json === true,
          waitSeconds: flags.wait ?? WAIT_SECONDS,
        });
      }
    });
}

/** What is wrong with the two forms' arguments, in words; null: nothing. */
function wrongIn(source: string | undefined, eventId: string | undefined, flags: Flags): string | null {
  if (source !== undefined) {
    if (eventId === undefined) return `which event of ${source}? Give its id, or --source ${source} for all of its dead letters`;
    const stray = OF_GROUPS.find((name) => flags[name] !== undefined);
    return stray === undefined ? null : `${optionText(stray)} is for many events: leave it out, or the event's source and id`;
  }
  if (flags.force === true) return "--force is for one event: its effect happens once more, and that has to be meant";
  if (!hasCondition(flags)) return "say which: <source> <event-id>, or conditions such as --status failed (--help lists them)";
  if (flags.dryRun === true || flags.yes === true) return null;
  return process.stdin.isTTY && process.stderr.isTTY ? null : "there is no terminal to ask on: look with --dry-run, then say --yes";
}

const optionText = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

function moment(text: string): number {
  const ms = momentMs(text);
  if (ms === null) throw new InvalidArgumentError("It must be a time: ISO 8601, such as 2026-11-30T09:00:00Z, or epoch milliseconds.");
  return ms;
}
