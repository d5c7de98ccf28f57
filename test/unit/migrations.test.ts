/** The SQL that is deployed and the schema that the code is typed by say the same: drizzle-kit finds nothing to write. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

test.each([
  ["Holdfast's", "src/store/schema.ts", "migrations"],
  ["the user's", "src/handlers/tables.ts", "migrations/app"],
])(
  "%s migrations are those of the schema",
  (_whose, schema, migrations) => {
    const folder = mkdtempSync(join(tmpdir(), "holdfast-migrations-"));
    try {
      cpSync(join(ROOT, migrations), join(folder, "out"), {
        recursive: true,
        filter: (source) => migrations !== "migrations" || !source.includes("/migrations/app"),
      });
      const before = readdirSync(join(folder, "out")).toSorted();
      const config = join(folder, "drizzle.config.json");
      writeFileSync(config, JSON.stringify({ dialect: "postgresql", schema: `./${schema}`, out: relative(ROOT, join(folder, "out")) }));
      const said = execFileSync(process.execPath, [join(ROOT, "node_modules/drizzle-kit/bin.cjs"), "generate", "--config", config], {
        cwd: ROOT,
        encoding: "utf8",
      });
      // It exits with 0 whatever happens.
      expect(said).toContain("No schema changes");
      expect(readdirSync(join(folder, "out")).toSorted()).toEqual(before);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  30_000,
);
