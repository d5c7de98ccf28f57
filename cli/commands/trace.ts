/** `npm run trace`: did we get it, what happened to it, and what now. */
import { styleText } from "node:util";
import type { Command } from "commander";
import { say } from "../terminal.ts";

interface Flags {
  readonly source?: string;
  readonly stack?: boolean;
  readonly payload?: boolean;
  readonly json?: boolean;
  readonly url?: string;
  readonly dataDir?: string;
}

export function registerTrace(program: Command): void {
  program
    .command("trace")
    .description("Tells one event's whole story, from the ledger and the claim of any running instance.")
    .argument("<event-id>", "the event's id, as the provider wrote it")
    .option("--source <name>", "its source: needed where several have this id, or where only its claim knows it")
    .option("--stack", "each failed attempt's stack too")
    .option("--payload", "its exact bytes on stdout, and nothing else")
    .option("--json", "the story as one JSON object on stdout")
    .option("--url <url>", "another instance than the one in .data/dev.json; the token is then ADMIN_TOKEN of the environment, else of .dev.vars")
    .option("--data-dir <folder>", "the data folder of the running `npm run dev` (default: .data)")
    .addHelpText("after", "\nExit codes: 0 found, 1 not found, refused or not reachable, 2 wrong arguments.")
    .action(async (eventId: string, flags: Flags) => {
      if (flags.json === true && flags.payload === true) {
        say("give --json or --payload, not both: each takes stdout for itself");
        process.exitCode = 2;
        return;
      }
      const [{ openAdmin }, { findStory, payloadOf }, { storyLines }] = await Promise.all([
        import("../open-admin.ts"),
        import("../trace/find-story.ts"),
        import("../trace/story-lines.ts"),
      ]);
      const client = openAdmin(flags);
      const found = await findStory(client, eventId, flags.source ?? null);
      if (found.kind !== "story") {
        say(
          found.kind === "none"
            ? found.why
            : `${found.sources.length} sources have this id: say which, --source ${found.sources.join(" or --source ")}`,
        );
        process.exitCode = 1;
        return;
      }
      const { story } = found;
      if (flags.payload === true) {
        const bytes = await payloadOf(client, story.source, story.id);
        if (bytes !== null) return void process.stdout.write(bytes);
        say("its bytes are not kept any more");
        process.exitCode = 1;
      } else if (flags.json === true) console.log(JSON.stringify(story));
      else {
        const paint: Parameters<typeof storyLines>[1]["paint"] = (format, text) => styleText(format, text, { stream: process.stdout });
        console.log(storyLines(story, { nowMs: Date.now(), withStacks: flags.stack === true, paint }).join("\n"));
      }
    });
}
