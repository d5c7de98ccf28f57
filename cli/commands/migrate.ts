/** `npm run migrate`: both sets of migrations, over a direct connection. */
import type { Command } from "commander";

interface Flags {
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

export function registerMigrate(program: Command): void {
  program
    .command("migrate")
    .description("Applies migrations/ (Holdfast's) and migrations/app/ (yours) to a Postgres. Safe to repeat, and to run twice at once.")
    .option("--database-url <url>", "a direct connection, not a pooler (default: $DATABASE_URL, else the running `npm run dev`)")
    .option("--json", "the result as one JSON array")
    .addHelpText("after", "\nExit codes: 0 the database is up to date, 1 not so, 2 wrong arguments.")
    .action(async (flags: Flags) => {
      const [{ applyMigrations }, { findInstance }, { withoutPassword }] = await Promise.all([
        import("../migrations.ts"),
        import("../instance.ts"),
        import("../dev/database-url.ts"),
      ]);
      const url = flags.databaseUrl ?? process.env["DATABASE_URL"] ?? findInstance({}).databaseUrl ?? "";
      if (!URL.canParse(url)) throw new Error("the database's URL cannot be read: give --database-url postgres://user:password@host:port/database.");
      const results = await applyMigrations(url);
      if (flags.json === true) console.log(JSON.stringify(results));
      else
        for (const { folder, applied } of results)
          console.log(`${folder}/: ${applied === 0 ? "nothing to do" : `${applied} applied`} (${withoutPassword(url)})`);
    });
}
