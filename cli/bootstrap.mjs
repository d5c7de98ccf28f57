/** The entry of every npm script. Runs on any Node 20+: installs what the lockfile says, then goes on under a Node that runs TypeScript. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { install } from "./install.mjs";

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const MAIN = join(ROOT, "cli", "main.ts");
/** The first Node that strips types without a flag; engines in package.json says the same. */
const NEEDED = [22, 18];

const COMMANDS = [
  ["dev", "start everything on this machine: Postgres, the queue, the Worker"],
  ["send", "sign events and post them to the running instance"],
  ["replay", "try failed or skipped events again"],
  ["trace", "tell one event's whole story"],
  ["tail", "read the log of a deployed Worker, or of the running instance"],
  ["migrate", "apply the migrations to a Postgres"],
  ["test", "types, lint, format and every test"],
  ["test:oracles", "compare our presets with the providers' own packages"],
  ["test:browser", "drive the console in Chromium, on a million events"],
  ["test:crash", "break the real stack at each named moment"],
  ["test:planted", "plant known mistakes in a copy, and see which test notices"],
  ["bench", "measure something against a floor"],
  ["chaos", "load a stack while its parts are killed, cut and paused, and count what was lost or doubled"],
  ["explore", "try every interleaving of one event's way, within bounds"],
  ["check", "types, lint, format and the unit tests, in under a minute"],
  ["ci", "what CI runs: test, then the heavy suites"],
  ["fix", "format the code and mend what lint can mend"],
  ["generate", "write migrations from the schema, the bindings' types, docs/providers.md and the console's files"],
];

const args = process.argv.slice(2);
if (args.length === 0 || args[0] === "--help" || args[0] === "-h" || args[0] === "help") {
  console.log("usage: npm run <command> -- [options]      (or: node cli/bootstrap.mjs <command> [options])\n");
  for (const [name, what] of COMMANDS) console.log(`  ${name.padEnd(12)} ${what}`);
  console.log("\n`npm run <command> -- --help` explains a command. The first command installs what package-lock.json says.");
  process.exit(args.length === 0 ? 2 : 0);
}
if (!COMMANDS.some(([name]) => name === args[0])) fail(`there is no command "${args[0]}": \`node cli/bootstrap.mjs --help\` lists them.`, 2);

await install(ROOT, (line) => console.error(`holdfast: ${line}`)).catch((error) => fail(error.message, 1));
if (isRecent(process.versions.node)) await goOnHere();
else goOnUnder(bundledNode());

function isRecent(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

/** The Node among the optional dependencies, if there is one for this machine and it runs (the packages need glibc). */
function bundledNode() {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const path = join(ROOT, "node_modules", `node-${platform}-${process.arch}`, "bin", process.platform === "win32" ? "node.exe" : "node");
  const found = existsSync(path) ? spawnSync(path, ["--version"], { encoding: "utf8" }) : null;
  if (found?.status === 0 && isRecent(found.stdout.trim().slice(1))) return path;
  return fail(
    `Node ${NEEDED.join(".")} or newer is needed, this is ${process.versions.node}, and there is no bundled one for ${process.platform}-${process.arch}: install it from https://nodejs.org, then start again.`,
    1,
  );
}

async function goOnHere() {
  // Node 22 calls type stripping experimental; that is nothing a user can act on.
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (warning, ...rest) => (String(warning).includes("Type Stripping") ? undefined : emitWarning(warning, ...rest));
  process.argv = [process.execPath, MAIN, ...args];
  await import(pathToFileURL(MAIN).href);
}

function goOnUnder(node) {
  const child = spawn(node, [MAIN, ...args], { stdio: "inherit", env: { ...process.env, HOLDFAST_LAUNCHER: String(process.pid) } });
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  const forward = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  child.once("error", (error) => fail(`${node} could not be started: ${error.message}`, 1));
  child.once("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    for (const name of signals) process.off(name, forward);
    process.kill(process.pid, signal);
    // Where the signal does not end us (it may be ignored): what a shell would report.
    setTimeout(() => process.exit(128 + (constants.signals[signal] ?? 0)), 100);
  });
}

function fail(sentence, code) {
  console.error(`holdfast: ${sentence}`);
  return process.exit(code);
}
