/** The commands, by name. Each file under commands/ registers one; what it needs is loaded only when it runs. */
import { Command, CommanderError } from "commander";
import { registerChaos } from "./commands/chaos.ts";
import { registerChecks } from "./commands/checks.ts";
import { registerDev } from "./commands/dev.ts";
import { registerExplore } from "./commands/explore.ts";
import { registerMaintenance } from "./commands/maintenance.ts";
import { registerMigrate } from "./commands/migrate.ts";
import { registerOracles } from "./commands/oracles.ts";
import { registerReplay } from "./commands/replay.ts";
import { registerSend } from "./commands/send.ts";
import { registerTail } from "./commands/tail.ts";
import { registerTrace } from "./commands/trace.ts";
import { EXIT_USAGE, say } from "./terminal.ts";

const program = new Command("holdfast").usage("<command> [options]").exitOverride().showHelpAfterError("(--help explains)");
for (const register of [
  registerDev,
  registerSend,
  registerReplay,
  registerTail,
  registerTrace,
  registerMigrate,
  registerChecks,
  registerMaintenance,
  registerOracles,
  registerChaos,
  registerExplore,
])
  register(program);
for (const command of program.commands) command.exitOverride().configureHelp({ commandUsage: usageOf }).showHelpAfterError("(--help explains)");

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Commander has printed its sentence, or the help that was asked for.
    process.exitCode = error.exitCode === 0 ? 0 : EXIT_USAGE;
  } else {
    say(error instanceof Error ? error.message : String(error));
    if (process.env["HOLDFAST_DEBUG"] !== undefined) console.error(error);
    process.exitCode = 1;
  }
}

/** As a user types it: `npm run dev -- [options]`. */
function usageOf(command: Command): string {
  const names = command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}${one.variadic ? "..." : ""}]`));
  const options = command.options.length > 0 ? ["[options]"] : [];
  const rest = [...names, ...options];
  return [`npm run ${command.name()}`, ...(rest.length > 0 ? ["--", ...rest] : [])].join(" ");
}
