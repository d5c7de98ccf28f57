/** `npm run dev`: the whole receiver on this machine, with nothing installed but Node. */
import { resolve } from "node:path";
import { InvalidArgumentError, type Command } from "commander";

interface Flags {
  readonly port?: number;
  readonly databaseUrl?: string;
  readonly dataDir?: string;
  readonly reset?: boolean;
  readonly realTimings?: boolean;
  readonly json?: boolean;
  readonly verbose?: boolean;
  readonly var?: string[];
  readonly main?: string;
  readonly faults?: boolean;
}

export function registerDev(program: Command): void {
  program
    .command("dev")
    .description("Starts Postgres, the queue and the Worker, applies the migrations, and prints where to post webhooks. Ctrl-C stops everything.")
    .option("--port <port>", "the Worker's port; without it the first free one from 8787 on", parsePort)
    .option("--database-url <url>", "an existing Postgres instead of the embedded one: postgres://user:password@host:port/database")
    .option("--reset", "delete the local data first (events, balances, claims); .dev.vars stays")
    .option("--real-timings", "keep leases and waits as long as in production")
    .option("--data-dir <folder>", "where the data live (default: .data); another folder also has its own secrets, in dev.vars")
    .option("--var <NAME:value...>", "a variable for the Worker, beside wrangler.toml and .dev.vars")
    .option("--main <file>", "another entry than wrangler.toml's, with handlers of its own (for tests)")
    .option("--faults", "with the fault points of src/fault-points.ts compiled in (for tests)")
    .option("--json", "the Worker's log as JSON lines, also on a terminal")
    .option("--verbose", "also show wrangler's own lines")
    .addHelpText(
      "after",
      "\nExit codes: 0 stopped on request, 1 a part failed, 2 wrong arguments. .data/dev.json holds { url, databaseUrl, adminToken, varsFile, publicBaseUrl } while it runs.\nEvery source of src/sources.ts whose secret is not set gets one in .dev.vars, for local use; what is set is never overwritten.",
    )
    .action(async (flags: Flags) => {
      const { DEFAULT_DATA_DIR, runStack } = await import("../dev/stack.ts");
      const code = await runStack({
        port: flags.port ?? null,
        dataDir: flags.dataDir === undefined ? DEFAULT_DATA_DIR : resolve(flags.dataDir),
        databaseUrl: flags.databaseUrl ?? null,
        reset: flags.reset === true,
        fastTimings: flags.realTimings !== true,
        json: flags.json === true,
        verbose: flags.verbose === true,
        vars: flags.var ?? [],
        main: flags.main ?? null,
        faults: flags.faults === true,
      });
      // Not exitCode: a socket that is still closing must not keep the terminal.
      process.exit(code);
    });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new InvalidArgumentError("It must be a number from 1 to 65535.");
  return port;
}
