/** Where the log comes from, and how it is shown: readable and in colour on a terminal, JSON where it is asked for. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { styleText } from "node:util";
import { logFileIn } from "../dev/log-file.ts";
import { eachLine } from "../lines.ts";
import { ROOT } from "../root.ts";
import { say } from "../terminal.ts";
import { readable } from "./fact.ts";
import { type LogFilter, select } from "./filter.ts";
import { follow } from "./follow.ts";
import type { Group, Line } from "./invocation.ts";
import { plain } from "./plain.ts";
import { LogReader } from "./reader.ts";

export interface TailOptions {
  readonly from: "wrangler" | "local" | "stdin";
  readonly filter: LogFilter;
  readonly json: boolean;
  /** Of the local log's lines that are there already. */
  readonly lines: number;
  readonly dataDir: string | undefined;
  readonly wranglerOptions: readonly string[];
}

/** Resolves to the exit code. */
export async function tail(options: TailOptions): Promise<number> {
  // Whoever reads us has gone (`| head`): nothing is left to do.
  process.stdout.on("error", () => process.exit(0));
  switch (options.from) {
    case "wrangler":
      return fromWrangler(options);
    case "local":
      return fromLocal(options);
    case "stdin":
      return fromStdin(options);
  }
}

function show(line: Line, json: boolean): void {
  if (line.kind === "text") (json ? console.error : console.log)(plain(line.text));
  else if (json) console.log(plain(JSON.stringify(line.fact)));
  else console.log(readable(line.fact, (format, text) => styleText(format, text, { stream: process.stdout })));
}

function showing({ filter, json }: TailOptions): (groups: readonly Group[]) => void {
  return (groups) => {
    for (const group of groups) for (const line of select(group, filter)) show(line, json);
  };
}

function fromStdin(options: TailOptions): Promise<number> {
  const reader = new LogReader();
  const put = showing(options);
  eachLine(process.stdin, (line) => put(reader.take(line)));
  return new Promise((resolve) => process.stdin.once("end", () => (put(reader.end()), resolve(0))));
}

async function fromLocal(options: TailOptions): Promise<number> {
  const path = logFileIn(options.dataDir ?? join(ROOT, ".data"));
  if (!existsSync(path)) {
    say(`there is no local log (${path} is missing): start the stack with \`npm run dev\`.`);
    return 1;
  }
  const end = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => end.abort());
  const reader = new LogReader();
  const last: Line[] = [];
  let isLive = false;
  const take = (line: string): void => {
    for (const group of reader.take(line)) {
      for (const one of select(group, options.filter)) {
        if (isLive) show(one, options.json);
        else if (last.push(one) > options.lines) last.shift();
      }
    }
  };
  await follow(path, end.signal, take, () => {
    for (const line of last) show(line, options.json);
    isLive = true;
  });
  return 0;
}

/** wrangler prints one JSON object an invocation on its stdout; what it has to say itself is on stderr. */
async function fromWrangler(options: TailOptions): Promise<number> {
  const entry = createRequire(import.meta.url).resolve("wrangler");
  const child = spawn(process.execPath, ["--no-warnings", entry, "tail", ...options.wranglerOptions, "--format", "json"], {
    cwd: ROOT,
    stdio: ["inherit", "pipe", "inherit"],
    env: { ...process.env, WRANGLER_HIDE_BANNER: "true" },
  });
  let told = false;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(name, () => {
      told = true;
      child.kill(name);
    });
  const reader = new LogReader();
  const put = showing(options);
  eachLine(child.stdout, (line) => put(reader.take(line)));
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", (error) => (say(`wrangler could not be started: ${error.message}`), resolve(1)));
    child.once("close", resolve);
  });
  put(reader.end());
  return told || code === 0 ? 0 : 1;
}
