/** The file with the development secrets: made from .dev.vars.example, added to, never overwritten, readable by its owner alone. */
import { randomBytes } from "node:crypto";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./root.ts";
import { assignment } from "./source-keys.ts";

/** Pure but for the randomness it is given. `NAME=random` becomes 32 bytes of hex. */
export function fillIn(example: string, random: (bytes: number) => Buffer = randomBytes): string {
  return example
    .split("\n")
    .map((line) => (/^\s*\w+=random\s*$/.test(line) ? line.replace(/random\s*$/, random(32).toString("hex")) : line))
    .join("\n");
}

/** dotenv's own pattern, which wrangler reads the file with: the commands must see what the Worker sees. */
const LINE = /^\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?\s*(?:#.*)?$/gm;

/** Pure. NAME=value as wrangler reads it: comments skipped, quotes taken off, written-out line ends in double quotes, `$NAME` of lines before. */
export function parseVars(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name = "", written = ""] of text.replaceAll(/\r\n?/g, "\n").matchAll(LINE)) {
    const trimmed = written.trim();
    const bare = trimmed.replace(/^(['"`])([\s\S]*)\1$/, "$2");
    found[name] = trimmed.startsWith('"') ? bare.replaceAll("\\n", "\n").replaceAll("\\r", "\r") : bare;
  }
  const seen: Record<string, string> = {};
  for (const [name, value] of Object.entries(found)) {
    seen[name] = value.replaceAll(
      /(?<!\\)\$(?:\{(\w+)\}|([A-Za-z_]\w*))/g,
      (_, braced?: string, plain?: string) => seen[braced ?? plain ?? ""] ?? "",
    );
    seen[name] = seen[name].replaceAll("\\$", "$");
  }
  return seen;
}

/** Resolves to true when this call created the file. */
export function createVars(path: string): boolean {
  try {
    writeFileSync(path, fillIn(readFileSync(join(ROOT, ".dev.vars.example"), "utf8")), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

export function readVars(path: string): Record<string, string> {
  return parseVars(readFileSync(path, "utf8"));
}

/** Lines under what is there, each after its comment. What is there stays as it is, to the last byte. */
export function appendVars(path: string, comment: string, vars: Readonly<Record<string, string>>): void {
  const before = readFileSync(path, "utf8");
  const lines = Object.entries(vars).map(([name, value]) => assignment(name, value));
  appendFileSync(path, `${before === "" || before.endsWith("\n") ? "" : "\n"}${[`# ${comment}`, ...lines].join("\n")}\n`);
}
