/** `npm run replay`: an operator's order to try one event again. */
import type { Command } from "commander";
import { say } from "../terminal.ts";

interface Flags {
  readonly force?: boolean;
  readonly reason?: string;
  readonly url?: string;
  readonly dataDir?: string;
  readonly json?: boolean;
}

export function registerReplay(program: Command): void {
  program
    .command("replay")
    .description(
      "Opens a failed or skipped event again: its handler runs once more on the bytes that are kept. Recorded; of two replays at once one is refused.",
    )
    .argument("<source>", "the event's source")
    .argument("<event-id>", "the event's id, as the provider wrote it")
    .option("--force", "a completed event too: its effect happens once more")
    .option("--reason <text>", "why; it stands in the audit")
    .option("--url <url>", "another instance than the one in .data/dev.json; the token is then ADMIN_TOKEN of the environment, else of .dev.vars")
    .option("--data-dir <folder>", "the data folder of the running `npm run dev` (default: .data)")
    .option("--json", "the instance's answer on stdout, as it came")
    .addHelpText("after", "\nExit codes: 0 replayed, 1 refused or not reachable, 2 wrong arguments.")
    .action(async (source: string, eventId: string, flags: Flags) => {
      const [{ openAdmin }, { keyParam }] = await Promise.all([import("../open-admin.ts"), import("../admin-client.ts")]);
      const response = await openAdmin(flags).events[":source"][":id"].replay.$post({
        param: keyParam({ source, id: eventId }),
        json: { force: flags.force === true, reason: flags.reason ?? null },
      });
      const answer = asRecord(await response.text());
      if (flags.json === true) console.log(JSON.stringify(answer));
      if (response.ok) {
        if (flags.json !== true) console.log(replayedInWords(source, eventId, answer));
        return;
      }
      const reason = [answer["detail"], answer["error"], answer["title"]].find((one): one is string => typeof one === "string");
      say(`not replayed (${response.status}): ${reason ?? "no reason given"}`);
      process.exitCode = 1;
    });
}

/** Pure. */
export function replayedInWords(source: string, eventId: string, answer: Readonly<Record<string, unknown>>): string {
  const note = typeof answer["note"] === "string" ? `; ${answer["note"]}` : "";
  const what = answer["what"] === "after" ? "its `after` is owed again" : "is open again";
  return `${source} ${eventId} ${what}: it runs as soon as its message arrives${note}`;
}

function asRecord(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : { error: text };
  } catch {
    return { error: text.slice(0, 300) };
  }
}
