/** docs/operations.md names every log line that src can write, and no other. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../../../cli/root.ts";

/** What stands between a call's level and its fields; where it is a parameter, what its callers give. */
const CALLS = [/\blog\((?:[^;{]*?),\s*([^,;{]+),\s*\{/g, /\btwice\(work,\s*([^,]+),/g];

function written(): string[] {
  const names = new Set<string>();
  for (const file of globSync("src/**/*.{ts,tsx}", { cwd: ROOT })) {
    const source = readFileSync(join(ROOT, file), "utf8");
    for (const pattern of CALLS)
      for (const [, name = ""] of source.matchAll(pattern)) for (const [, one = ""] of name.matchAll(/"(\w+)"/g)) names.add(one);
  }
  return [...names].toSorted();
}

function documented(): string[] {
  const page = readFileSync(join(ROOT, "docs", "operations.md"), "utf8");
  const dictionary = page.slice(page.indexOf("## Dictionary of log lines"), page.indexOf("## A dead letter"));
  const cells = [...dictionary.matchAll(/^\| (`[^|]*`) +\|/gm)].map(([, cell = ""]) => cell);
  return [...new Set(cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name)))].toSorted();
}

test("every line that src writes is in the dictionary, and every line in the dictionary is written", () => {
  expect(written().length).toBeGreaterThan(30);
  expect(documented()).toEqual(written());
});

test("the queries to save ask for lines, values and fields that there are", () => {
  const page = readFileSync(join(ROOT, "docs", "operations.md"), "utf8");
  const section = page.slice(page.indexOf("### Five queries to save"), page.indexOf("## Alerts"));
  const rows = section
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2);
  expect(rows).toHaveLength(5);
  const dictionary = page.slice(page.indexOf("### At receipt"), page.indexOf("### Five queries to save"));
  const fields = readFileSync(join(ROOT, "src/log.ts"), "utf8");
  for (const row of rows) {
    const [, , filter = "", show = "", groups = "", when = ""] = row.split("|");
    const [, values = ""] = /`outcome` (?:=|in) (.*)/.exec(filter) ?? [];
    const [, event = ""] = /`event` = `(\w+)`/.exec(filter) ?? [];
    if (event !== "") expect(written()).toContain(event);
    const lines = dictionary.split("\n").filter((line) => line.startsWith(`| \`${event}\``));
    for (const [, value = ""] of values.matchAll(/`(\w+)`/g)) expect(lines.join("\n")).toMatch(new RegExp(`outcome[^|]*\\b${value}\\b`));
    for (const [, name = "", part = ""] of `${filter.replace(/(?:=|in) `.*/, "")} ${show} ${groups} ${when}`.matchAll(/`(\w+)(?:\.(\w+))?`/g)) {
      if (name === "event") continue;
      expect(fields, name).toMatch(new RegExp(`^  readonly ${name}\\?:`, "m"));
      if (part !== "") expect(dictionary, `${name}.${part}`).toMatch(new RegExp(`\`${name}\`[^|]*\`${part}\``));
    }
  }
});
