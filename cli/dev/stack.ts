/** The local stack: Postgres and the Worker, started in order; when one part ends, or the user says so, every part is stopped. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createVars, readVars } from "../dev-vars.ts";
import type { DevJson } from "../instance.ts";
import { applyMigrations } from "../migrations.ts";
import { startPostgres, type RunningPostgres } from "../postgres.ts";
import { until } from "../processes.ts";
import { ROOT } from "../root.ts";
import { readSources } from "../sources.ts";
import { say } from "../terminal.ts";
import { callers, watch } from "./callers.ts";
import { databaseUrlProblem, withoutPassword } from "./database-url.ts";
import { Output } from "./output.ts";
import { takeOwnership, type Ownership } from "./ownership.ts";
import { choosePort, isPortFree } from "./port.ts";
import { publicBaseUrl } from "./public-base-url.ts";
import { addSourceSecrets } from "./source-secrets.ts";
import { startSweeping } from "./sweep-trigger.ts";
import { welcome } from "./welcome.ts";
import { startWorker } from "./worker.ts";
import type { RunningWrangler } from "./wrangler.ts";

export interface DevOptions {
  readonly port: number | null;
  readonly dataDir: string;
  readonly databaseUrl: string | null;
  readonly reset: boolean;
  readonly fastTimings: boolean;
  readonly json: boolean;
  readonly verbose: boolean;
  readonly vars: readonly string[];
  readonly main: string | null;
  readonly faults: boolean;
}

const READY_MS = 120_000;
/** The default folder's secrets are the user's, beside wrangler.toml; another folder (tests) keeps its own, so that neither sees the other's. */
export const DEFAULT_DATA_DIR = join(ROOT, ".data");

/** Resolves to the exit code: 0 when somebody ended it, 1 when a part failed. */
export async function runStack(options: DevOptions): Promise<number> {
  const { dataDir } = options;
  const problem = options.databaseUrl === null ? null : databaseUrlProblem(options.databaseUrl);
  if (problem !== null) throw new Error(problem);
  mkdirSync(dataDir, { recursive: true });
  const end = untilTold();
  let owner: Ownership | null = null;
  let database: RunningPostgres | null = null;
  const wranglers: RunningWrangler[] = [];
  let output: Output | null = null;
  let stopSweeping = (): void => {};
  try {
    owner = await takeOwnership(dataDir, end.callers, say);
    rmSync(join(dataDir, "dev.json"), { force: true });
    if (options.reset) reset(options);
    // Asked before anything is started, and once more when the Worker needs it.
    const choice = await choosePort(options.port, isPortFree);
    if (!choice.ok) throw new Error(choice.sentence);

    if (options.databaseUrl === null) database = await startPostgres({ dataDir: join(dataDir, "postgres") });
    const databaseUrl = options.databaseUrl ?? database?.url ?? "";
    for (const { folder, applied } of await migrateOrExplain(databaseUrl))
      if (applied > 0) say(`applied ${applied} migration${applied === 1 ? "" : "s"} from ${folder}/`);
    if (end.told() !== null) return 0;

    const varsFile = dataDir === DEFAULT_DATA_DIR ? join(ROOT, ".dev.vars") : join(dataDir, "dev.vars");
    if (createVars(varsFile)) say(`wrote ${varsFile}`);
    for (const line of await makeSecrets(varsFile, options.vars)) say(line);
    output = new Output({ ...options, hasHistory: existsSync(join(dataDir, "wrangler")) });
    const lines = output;
    const { fastTimings, vars, main, faults } = options;
    const mine = owner;
    const worker = await startWorker(
      options.port,
      { dataDir, varsFile, databaseUrl, fastTimings, vars, main, faults },
      lines,
      Promise.race([end.done, ...(database === null ? [] : [database.exited])]),
      (one) => {
        wranglers.push(one);
        mine.recordWrangler(one.pid);
      },
    );
    const { url } = worker;

    const failure = Promise.race([
      worker.wrangler.exited.then(({ code, signal }) => `wrangler dev ended by itself (${signal ?? `code ${code}`})`),
      lines.runtimeLost.then(() => "the Workers runtime crashed and wrangler could not restart it"),
      ...(database === null
        ? []
        : [
            database.exited.then(
              ({ code, signal, lastLines }) => `Postgres ended by itself (${signal ?? `code ${code}`})\n  ${lastLines.slice(-5).join("\n  ")}`,
            ),
          ]),
    ]);
    const readiness = new AbortController();
    const started = await Promise.race([failure, end.done, whenReady(url, readiness.signal)]).finally(() => readiness.abort());
    if (started !== "ready") return ended(started, end.told());

    const secrets = readVars(varsFile);
    const info: DevJson = {
      url,
      databaseUrl,
      adminToken: secrets["ADMIN_TOKEN"] ?? null,
      varsFile,
      publicBaseUrl: publicBaseUrl(secrets, vars, readFileSync(join(ROOT, "wrangler.toml"), "utf8")),
    };
    writeFileSync(join(dataDir, "dev.json"), `${JSON.stringify(info)}\n`, { mode: 0o600 });
    lines.ready();
    for (const line of await welcome({ ...options, url, database: withoutPassword(databaseUrl), varsFile })) say(line);
    stopSweeping = startSweeping(url, options.fastTimings);
    return ended(await Promise.race([failure, end.done]), end.told());
  } finally {
    stopSweeping();
    if (owner !== null) rmSync(join(dataDir, "dev.json"), { force: true });
    // The Worker first: what it has begun can still commit.
    output?.stopping();
    await wranglers.at(-1)?.stop();
    await database?.stop();
    owner?.release();
    end.close();
  }
}

/** So that every source of src/sources.ts can be tried at once. */
async function makeSecrets(varsFile: string, flags: readonly string[]): Promise<readonly string[]> {
  const read = await readSources();
  if (!read.ok) return [`the commands cannot read src/sources.ts, so no secret was made for its sources: ${read.why}`];
  return addSourceSecrets(varsFile, read.sources, {
    flags: new Set(flags.map((one) => one.split(":", 1)[0] ?? "")),
    environment: new Set(Object.keys(process.env)),
  });
}

function ended(why: string, told: string | null): number {
  say(told === null ? `${why}; stopping everything` : `stopped (${told})`);
  return told === null ? 1 : 0;
}

/** Signals (which a terminal, npm and the bootstrap may each send), or the death of whoever started us. */
function untilTold() {
  const started = callers();
  let why: string | null = null;
  let resolveDone: (why: string) => void = () => {};
  const done = new Promise<string>((resolve) => (resolveDone = resolve));
  const tell = (reason: string): void => {
    if (why === null) say("stopping ...");
    why ??= reason;
    resolveDone(why);
  };
  const onSignal = (name: NodeJS.Signals): void => tell(name);
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of signals) process.on(name, onSignal);
  // A closed terminal or pipe: writing to it must not end us before the parts are stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => tell("output closed"));
  const unwatch = watch(started, () => tell("whoever started it is gone"));
  const close = (): void => {
    unwatch();
    for (const name of signals) process.off(name, onSignal);
  };
  return { callers: started, done, told: () => why, close };
}

async function whenReady(url: string, signal: AbortSignal): Promise<string> {
  const isUp = async (): Promise<boolean> => {
    if (signal.aborted) return true;
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    await answer?.body?.cancel();
    return answer?.status === 200;
  };
  if (await until(isUp, READY_MS, 150)) return "ready";
  return `the Worker did not answer ${url}/healthz with 200 within ${READY_MS / 1_000} s`;
}

async function migrateOrExplain(databaseUrl: string): ReturnType<typeof applyMigrations> {
  try {
    return await applyMigrations(databaseUrl);
  } catch (cause) {
    const reason =
      cause instanceof Error
        ? [cause.message, cause.cause instanceof Error ? cause.cause.message : ""].filter((part) => part !== "").join(": ")
        : String(cause);
    throw new Error(`the migrations could not be applied to ${withoutPassword(databaseUrl)}: ${reason}`, { cause });
  }
}

function reset(options: DevOptions): void {
  const folders = options.databaseUrl === null ? ["postgres", "wrangler"] : ["wrangler"];
  say(
    `--reset: deleting ${folders.map((one) => join(options.dataDir, one)).join(" and ")}${options.databaseUrl === null ? "" : "; the database that --database-url names keeps its rows"}`,
  );
  for (const one of folders) rmSync(join(options.dataDir, one), { recursive: true, force: true });
}
