/** Every command that a page tells somebody to type is there, with each option that it names: `npm run ...` and `wrangler ...`, read from their own help. */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ROOT } from "../../../cli/root.ts";
import manifest from "../../../package.json" with { type: "json" };

const run = promisify(execFile);
const pages = [
  "README.md",
  ...readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

interface Named {
  readonly command: string;
  readonly page: string;
  readonly options: readonly string[];
}
const OPTION = /(?<=\s)--[a-z][a-z-]*/g;
/** A command's text ends with its code span, its line, or a pipe; a backslash takes it to the next line. */
function namedBy(start: RegExp): readonly Named[] {
  return pages.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), "utf8").replaceAll(/\\\n\s*/g, " ");
    return [...text.matchAll(start)].map((match) => {
      const [rest = ""] = /^[^`\n|#]*/.exec(text.slice(match.index + match[0].length)) ?? [];
      return { command: match[1] ?? "", page, options: rest.match(OPTION) ?? [] };
    });
  });
}
/** Each command once, with all the options that any page names. */
function together(named: readonly Named[]): readonly (readonly [command: string, options: readonly string[]])[] {
  const commands = [...new Set(named.map(({ command }) => command))];
  return commands.map((command) => [command, [...new Set(named.filter((one) => one.command === command).flatMap(({ options }) => options))]]);
}

const scripts = namedBy(/\bnpm run (?:-s )?([a-z]+(?::[a-z]+)?)/g);
const wrangler = namedBy(/\bnpx wrangler ((?:(?:queues|secret|hyperdrive|versions|r2|d1|kv) )?[a-z][a-z-]*)/g);

test("there are some", () => {
  expect(scripts.length).toBeGreaterThan(60);
  expect(wrangler.length).toBeGreaterThan(20);
});

test("every script is one of package.json", () => {
  expect(scripts.filter(({ command }) => !(command in manifest.scripts))).toEqual([]);
});

test.each(together(scripts).filter(([, options]) => options.length > 0))(
  "npm run %s takes %j",
  async (command, options) => {
    const { stdout } = await run(process.execPath, [join(ROOT, "cli/bootstrap.mjs"), command, "--help"], { cwd: ROOT });
    expect(options.filter((option) => !stdout.includes(option))).toEqual([]);
  },
  60_000,
);

test.each(together(wrangler))(
  "npx wrangler %s is there, and takes %j",
  async (command, options) => {
    const env = { ...process.env, WRANGLER_SEND_METRICS: "false", CI: "true" };
    const { stdout } = await run(join(ROOT, "node_modules/.bin/wrangler"), [...command.split(" "), "--help"], { cwd: ROOT, env });
    // An unknown one is answered with the help of what it would belong to.
    expect(stdout.split("\n").find((line) => line.startsWith("wrangler"))).toMatch(new RegExp(`^wrangler ${command}(?: |$)`));
    expect(options.filter((option) => !stdout.includes(option))).toEqual([]);
  },
  60_000,
);
