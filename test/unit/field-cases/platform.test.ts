/** Field cases about how the Worker is set up and how its code may be written: read from the files that say so. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const code = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
  .map((path) => ({ path, text: read(join("src", path)).replaceAll(/\/\*[^]*?\*\/|\/\/[^\n]*/g, "") }));
const wrangler = read("wrangler.toml");
/** The lines below a `[[table]]`, one text for each of that name. */
const tables = (name: string): string[] =>
  wrangler
    .split(/^(?=\[)/m)
    .filter((table) => table.startsWith(`[[${name}]]`))
    .map((table) => table.replaceAll(/^#.*$/gm, ""));

test("B48 no code waits for the end of a postgres.js client, and one file makes one", () => {
  expect(code.length).toBeGreaterThan(100);
  expect(code.filter(({ text }) => /\bsql\.end\(|\.end\(\s*\{/.test(text)).map(({ path }) => path)).toEqual([]);
  expect(code.filter(({ text }) => /\bpostgres\(/.test(text)).map(({ path }) => path)).toEqual(["store/client.ts"]);
});

test("B49 the commands that create the Hyperdrive configuration turn its cache off", () => {
  for (const path of ["README.md", "wrangler.toml"]) expect(read(path)).toContain("--caching-disabled true");
});

test("B50 handlers cannot import a client of their own", () => {
  interface Override {
    readonly files: readonly string[];
    readonly rules: {
      readonly "no-restricted-imports"?: readonly [string, { readonly patterns: readonly { readonly group?: readonly string[] }[] }];
    };
  }
  const { overrides } = JSON.parse(read(".oxlintrc.json").replaceAll(/^\s*\/\/.*$/gm, "")) as { overrides: readonly Override[] };
  const forHandlers = overrides.filter(({ files }) => files.some((file) => file.startsWith("src/handlers/*")));
  const groups = forHandlers.flatMap(({ rules }) => rules["no-restricted-imports"]?.[1].patterns.flatMap(({ group }) => group ?? []) ?? []);
  expect(groups).toEqual(expect.arrayContaining(["postgres", "drizzle-orm/postgres-js"]));
});

describe("B70 the consumer's connections fit", () => {
  test("B70 both queues say how many consumers may run, and the runbook what a consumer costs", () => {
    const consumers = tables("queues.consumers");
    expect(consumers).toHaveLength(2);
    const [events] = consumers;
    expect(events).toMatch(/^max_concurrency = 10$/m);
    for (const consumer of consumers) expect(consumer).toMatch(/^retry_delay = \d\d$/m);
    expect(read("docs/operations.md")).toContain("`max_concurrency` (10) consumers run at once, each with one connection");
  });
});

test("B77 objects are named by event, or by an operator's order: none that all requests share", () => {
  expect(tables("durable_objects.bindings").map((table) => /name = "(\w+)"/.exec(table)?.[1])).toEqual(["CLAIMS", "REPLAY_RUNS"]);
  const named = code.flatMap(({ path, text }) =>
    [...text.matchAll(/(\w+)\.(?:getByName|idFromName)\(([^)]*\)?)\)/g)].map(([, space = "", name = ""]) => `${path}: ${space} ${name}`),
  );
  expect(named.filter((one) => !one.includes("eventKeyText(") && !one.endsWith(": REPLAY_RUNS id"))).toEqual([]);
  expect(named.length).toBeGreaterThan(0);
});
