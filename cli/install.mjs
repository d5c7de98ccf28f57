/** Decides whether node_modules is what package-lock.json says, and makes it so. Plain JavaScript: it runs before anything is installed. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const LOCK_GIVEN_UP_MS = 30 * 60 * 1000;

/**
 * Pure. Compares contents, not times: a git checkout touches the lockfile without changing it. `installed` is
 * node_modules/.package-lock.json, which npm writes last, so an interrupted install has none. Optional packages may be missing.
 */
export function isStale(lock, installed) {
  if (installed === null) return true;
  const wanted = lock.packages ?? {};
  const present = installed.packages ?? {};
  const differs = (path) => wanted[path]?.version !== present[path].version || wanted[path]?.integrity !== present[path].integrity;
  const isMissing = (path) => path !== "" && !wanted[path].optional && !wanted[path].devOptional && present[path] === undefined;
  return Object.keys(present).some(differs) || Object.keys(wanted).some(isMissing);
}

/** Resolves when node_modules is right; rejects with a sentence for the user. */
export async function install(root, say) {
  const stale = () => isStale(readJson(join(root, "package-lock.json")) ?? {}, readJson(join(root, "node_modules", ".package-lock.json")));
  if (!stale()) return;
  const release = await takeLock(join(root, ".data", "install.lock"), say);
  try {
    if (!stale()) return; // whoever held the lock has installed it
    say("installing what package-lock.json says (npm ci); this happens once and takes about a minute ...");
    const startedMs = Date.now();
    await npmCi(root);
    say(`installed in ${Math.round((Date.now() - startedMs) / 1000)} s`);
  } finally {
    release();
  }
}

function npmCi(root) {
  // Everything here runs from devDependencies and the bundled Node is optional: NODE_ENV=production must not leave them out.
  const args = ["ci", "--loglevel=error", "--include=dev", "--include=optional", "--no-fund", "--no-audit"];
  const npm = process.env["npm_execpath"]?.endsWith("npm-cli.js") ? [process.execPath, process.env["npm_execpath"]] : ["npm"];
  const child = spawn(npm[0], [...npm.slice(1), ...args], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32" && npm.length === 1,
  });
  const forward = (signal) => child.kill(signal);
  process.on("SIGTERM", forward).on("SIGHUP", forward).on("SIGINT", forward);
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(new Error(`npm could not be started (${error.message}): install npm, or run \`npm ci\` yourself.`)));
    child.once("exit", (code, signal) => {
      process.off("SIGTERM", forward).off("SIGHUP", forward).off("SIGINT", forward);
      if (code === 0) resolve();
      else reject(new Error(`\`npm ci\` ended with ${signal ?? `code ${code}`} (its messages are above): mend that, then start again.`));
    });
  });
}

/** One install at a time: npm ci begins by deleting node_modules under everybody else. */
async function takeLock(path, say) {
  mkdirSync(join(path, ".."), { recursive: true });
  for (let told = false; ;) {
    try {
      writeFileSync(path, String(process.pid), { flag: "wx" });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (error.code !== "EEXIST")
        throw new Error(`${path} cannot be written (${error.message}): make the folder writable for you.`, { cause: error });
    }
    const holder = holderOf(path);
    if (holder === "gone") rmSync(path, { force: true });
    else if (!told) {
      say(`another process (${holder}) is installing; waiting for it ...`);
      told = true;
    }
    await new Promise((again) => setTimeout(again, 250));
  }
}

function holderOf(path) {
  try {
    const pid = Number(readFileSync(path, "utf8"));
    if (Date.now() - statSync(path).mtimeMs > LOCK_GIVEN_UP_MS) return "gone";
    // Empty: its writer is between creating and writing.
    if (pid === 0) return "starting";
    process.kill(pid, 0);
    return `pid ${pid}`;
  } catch (error) {
    return error.code === "EPERM" ? "of another user" : "gone";
  }
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}
