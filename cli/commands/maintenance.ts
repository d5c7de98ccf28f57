/** `npm run fix` and `npm run generate`: what writes files of the repository. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { ROOT } from "../root.ts";
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
      "Writes SQL migrations for changes of src/store/schema.ts (migrations/) and src/handlers/tables.ts (migrations/app/), the bindings' types, docs/providers.md, and the console's style and script (src/console/assets/).",
    )
    .option("--name <name>", "the migration's name")
    .option("--docs", "docs/providers.md alone, from the presets")
    .option("--console", "the console's style and script alone")
    .action(async ({ name, docs, console: onlyConsole }: { readonly name?: string; readonly docs?: boolean; readonly console?: boolean }) => {
      if (onlyConsole !== true) await writeProvidersPage();
      if (docs === true) return;
      await (await import("../console-assets.ts")).writeConsoleAssets();
      if (onlyConsole === true) return;
      const named = name === undefined ? [] : ["--name", name];
      await inTurn([
        ["drizzle-kit", "generate", "--config", "drizzle.config.ts", ...named],
        ["drizzle-kit", "generate", "--config", "drizzle.app.config.ts", ...named],
        ["wrangler", "types", "--include-runtime=false", "--env-file", ".dev.vars.example"],
      ]);
    });
}

async function writeProvidersPage(): Promise<void> {
  const [{ registry }, { providersPage }] = await Promise.all([import("../../src/providers/registry.ts"), import("../docs/providers-page.ts")]);
  const page = join(ROOT, "docs", "providers.md");
  writeFileSync(page, providersPage(Object.values(registry).map(({ preset }) => preset())));
  console.log(`wrote ${page}`);
}

/** All of them, even after a failure; the exit code is the first failure's. */
async function inTurn(commands: readonly (readonly [tool: string, ...args: string[]])[]): Promise<void> {
  for (const [tool, ...args] of commands) {
    const { code } = await runTool(tool, args, "show");
    if (code !== 0 && !process.exitCode) process.exitCode = code;
  }
}
