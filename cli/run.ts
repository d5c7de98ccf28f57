/** Runs a tool of the checkout under this Node, and passes signals on to it. */
import { spawn } from "node:child_process";
import { constants } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { ROOT } from "./root.ts";

export interface ToolResult {
  readonly code: number;
  /** stdout and stderr together; empty when it was shown as it came. */
  readonly output: string;
}

/** Exits of this process's own after a signal must not leave the tool behind: it gets the signal, and we end after it. */
export async function runTool(
  tool: string,
  args: readonly string[],
  show: "show" | "keep",
  env: Readonly<Record<string, string>> = {},
): Promise<ToolResult> {
  // `#!/usr/bin/env node` in the tools has to find this Node, not an older one of the system.
  const path = [dirname(process.execPath), join(ROOT, "node_modules", ".bin"), process.env["PATH"] ?? ""].join(delimiter);
  const child = spawn(tool, args, {
    cwd: ROOT,
    env: { ...process.env, PATH: path, ...env },
    stdio: show === "show" ? "inherit" : ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  const pieces: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (piece: Buffer) => pieces.push(piece));
  let interrupted: NodeJS.Signals | null = null;
  const forward = (name: NodeJS.Signals): void => {
    interrupted = name;
    child.kill(name);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const name of signals) process.on(name, forward);
  const code = await new Promise<number>((resolve) => {
    child.once("error", (error) => {
      pieces.push(Buffer.from(`${tool} could not be started: ${error.message}\n`));
      resolve(127);
    });
    child.once("close", (status, name) => resolve(status ?? 128 + (constants.signals[name ?? "SIGKILL"] ?? 0)));
  });
  for (const name of signals) process.off(name, forward);
  if (interrupted !== null) process.exit(128 + constants.signals[interrupted]);
  return { code, output: Buffer.concat(pieces).toString("utf8") };
}
