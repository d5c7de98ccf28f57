/** `npm run send`: signed events to the running instance, and what became of them. */
import { readFileSync } from "node:fs";
import { InvalidArgumentError, Option, type Command } from "commander";
import type { SendReport } from "../send/send.ts";
import type { Variant } from "../send/variant.ts";
import { say, table } from "../terminal.ts";
import { wholeNumber } from "./numbers.ts";

interface Flags {
  readonly user: string;
  readonly amount: number;
  readonly reference?: string;
  readonly id?: string;
  readonly file?: Uint8Array;
  readonly count: number;
  readonly duplicates: number;
  readonly invalid: number;
  readonly tamper?: boolean;
  readonly stale?: boolean;
  readonly future?: boolean;
  readonly wrongSecret?: boolean;
  readonly rotate?: boolean;
  readonly concurrency: number;
  readonly wait: number;
  readonly url?: string;
  readonly databaseUrl?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
}

export function registerSend(program: Command): void {
  program
    .command("send")
    .description("Signs events as the provider does, posts them to the running instance, waits until they are settled, and says what happened.")
    .argument("<source>", "a source of src/sources.ts, of any provider: generic, stripe, ...")
    .argument("[type]", "the event's type, such as payment_intent.succeeded; each provider has a usual one")
    .option("--user <id>", "whom the sample is about", "u1")
    .option("--amount <n>", "the sample's amount in minor units", wholeNumber(1), 5)
    .option("--reference <text>", "the fact's own reference: events that share one have one effect")
    .option("--id <id>", "the event's id; otherwise a new one")
    .option("--file <path>", "send these bytes as the body instead of the sample", readBytes)
    .option("--count <n>", "distinct events", wholeNumber(1), 1)
    .option("--duplicates <n>", "extra copies of each: it is delivered 1 + n times", wholeNumber(0), 0)
    .option("--invalid <n>", "additional deliveries signed with another secret, which must be refused", wholeNumber(0), 0)
    .addOption(refused("--tamper", "one byte of what is signed is changed after signing: must be refused"))
    .addOption(refused("--stale", "signed a day ago: must be refused, where the provider signs a time"))
    .addOption(refused("--future", "signed a day ahead: must be refused, where the provider signs a time"))
    .addOption(refused("--wrong-secret", "signed with a secret that the source does not have: must be refused"))
    .option("--rotate", "sign with <SOURCE>_WEBHOOK_SECRET_NEXT, the second secret of a rotation: must be accepted")
    .option("--concurrency <n>", "deliveries in flight", wholeNumber(1, 1_000), 10)
    .option("--wait <seconds>", "how long the events may take to settle", wholeNumber(0), 60)
    .option("--url <url>", "another instance than the one in .data/dev.json")
    .option("--database-url <url>", "the ledger of that instance")
    .option("--data-dir <folder>", "the data folder of the running `npm run dev` (default: .data)")
    .option("--json", "one JSON object on stdout instead of the table")
    .addHelpText(
      "after",
      "\nExit codes: 0 every answer was as expected and every event settled (a dead letter is settled), 1 not so, 2 wrong arguments.\nA delivery that must be refused is as expected when the answer is 4xx with `holdfast-status: rejected`.",
    )
    .action(async (source: string, type: string | undefined, flags: Flags) => {
      const [{ findInstance }, { send }] = await Promise.all([import("../instance.ts"), import("../send/send.ts")]);
      const { user, amount, reference, id, count, duplicates, invalid, concurrency } = flags;
      const instance = findInstance(flags);
      const report = await send({
        instance,
        source,
        type,
        file: flags.file ?? null,
        user,
        amount,
        reference,
        id,
        count,
        duplicates,
        invalid,
        variant: variantOf(flags),
        rotate: flags.rotate === true,
        concurrency,
        waitSeconds: flags.wait,
      });
      if (flags.json === true) console.log(JSON.stringify(report));
      else console.log(inWords(report, { ...flags, mustBeRefused: variantOf(flags) !== null }));
      for (const example of report.examples) say(`unexpected: ${example}`);
      process.exitCode = report.ok ? 0 : 1;
    });
}

/** One thing may be wrong with a delivery, else nobody knows for what it was refused. */
function refused(flag: string, description: string): Option {
  const names = ["tamper", "stale", "future", "wrongSecret", "invalid"];
  const option = new Option(flag, description);
  return option.conflicts(names.filter((name) => name !== option.attributeName()));
}

function variantOf({ tamper, stale, future, wrongSecret }: Flags): Variant | null {
  if (tamper === true) return "tamper";
  if (stale === true) return "stale";
  if (future === true) return "future";
  return wrongSecret === true ? "wrong_secret" : null;
}

/** Pure. */
export function inWords(
  report: SendReport,
  sent: { readonly count: number; readonly invalid: number; readonly wait: number; readonly mustBeRefused: boolean },
): string {
  const rate = report.seconds > 0 ? ` (${Math.round(report.deliveries / report.seconds)}/s)` : "";
  const plural = (n: number, noun: string): string => `${n} ${n === 1 ? noun : noun.replace(/y$/, "ie") + "s"}`;
  const note = sent.mustBeRefused ? ", all to be refused," : sent.invalid > 0 ? ` (${sent.invalid} of them forged)` : "";
  const lines = [
    `${plural(sent.count, "event")}, ${plural(report.deliveries, "delivery")}${note} in ${report.seconds.toFixed(1)} s${rate}`,
    "",
    table([["answer (holdfast-status)", "deliveries"], ...Object.entries(report.answers).map(([name, n]) => [name, String(n)])]),
    "",
  ];
  if (sent.mustBeRefused) lines.push(report.ok ? "  refused, as it must be; the log of `npm run dev` says for what" : "  not refused as it must be");
  else if (report.events === null)
    lines.push("  the ledger of this instance is not reachable from here: give --database-url to see what became of the events");
  else if (report.acknowledged === 0) lines.push("  nothing was acknowledged, so the ledger has nothing to say");
  else {
    const rows = Object.entries(report.events).filter(([, n]) => n > 0);
    lines.push(table([["status in the ledger", "events"], ...rows.map(([name, n]) => [name, String(n)])]));
    for (const reason of report.reasons) lines.push("", `  ${reason}`);
    if (report.effects !== null) lines.push("", `  ${plural(report.effects, "effect")} (rows in balance_entries)`);
    if (report.events.pending > 0) lines.push("", `  still pending after ${sent.wait} s: the log of \`npm run dev\` says why`);
  }
  return lines.join("\n");
}

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
