/** The oracles: official packages of providers, installed apart since they weigh as much as everything else together, and asked about our presets. */
import { join } from "node:path";
import { install } from "../install.mjs";
import { ROOT } from "../root.ts";
import { runTool } from "../run.ts";
import { say } from "../terminal.ts";
import { tallyNodeTest, type Tally } from "./tally.ts";

const FOLDER = join(ROOT, "test", "oracles");
const FILES = ["self", "cross", "live"].map((name) => join(FOLDER, `${name}.test.ts`));

export async function runOracles(): Promise<Tally> {
  try {
    await install(FOLDER, say);
  } catch (error) {
    say(`the oracles' packages could not be installed: ${error instanceof Error ? error.message : String(error)}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const types = await runTool("tsc", ["-p", join(FOLDER, "tsconfig.json")], "keep");
  if (types.code !== 0) process.stdout.write(types.output);
  const tests = await runTool(process.execPath, ["--test", "--test-reporter=tap", ...FILES], "keep");
  const tally = tallyNodeTest(tests.output, tests.code);
  if (tally.failed > 0) process.stdout.write(tests.output.replaceAll(/^ *ok .*\n(?: *---\n(?:.*\n)*? *\.\.\.\n)?/gm, ""));
  return { ...tally, passed: tally.passed + (types.code === 0 ? 1 : 0), failed: tally.failed + (types.code === 0 ? 0 : 1) };
}
