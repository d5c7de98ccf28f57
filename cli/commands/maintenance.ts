/** `npm run fix` and `npm run generate`: what writes files of the repository. */
import type { Command } from "commander";
import { runTool } from "../run.ts";

export function registerMaintenance(program: Command): void {
  program
    .command("fix")
    .description("Formats every file, and mends what lint can mend.")
    .action(async () => {
      await inTurn([["oxlint", "--type-aware", "--fix"], ["oxfmt"]]);
    });
  program
    .command("generate")
    .description(
      "Writes SQL migrations for changes of src/store/schema.ts (migrations/) and src/handlers/tables.ts (migrations/app/), and the bindings' types.",
    )
    .option("--name <name>", "the migration's name")
    .action(async ({ name }: { readonly name?: string }) => {
      const named = name === undefined ? [] : ["--name", name];
      await inTurn([
        ["drizzle-kit", "generate", "--config", "drizzle.config.ts", ...named],
        ["drizzle-kit", "generate", "--config", "drizzle.app.config.ts", ...named],
        ["wrangler", "types", "--include-runtime=false", "--env-file", ".dev.vars.example"],
      ]);
    });
}

/** All of them, even after a failure; the exit code is the first failure's. */
async function inTurn(commands: readonly (readonly [tool: string, ...args: string[]])[]): Promise<void> {
  for (const [tool, ...args] of commands) {
    const { code } = await runTool(tool, args, "show");
    if (code !== 0 && !process.exitCode) process.exitCode = code;
  }
}
