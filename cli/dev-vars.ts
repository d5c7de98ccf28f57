/** The development secrets: made once from .dev.vars.example, never overwritten, readable by their owner alone. */
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./root.ts";

/** Pure but for the randomness it is given. `NAME=random` becomes 32 bytes of hex, `random-whsec` what Standard Webhooks calls a secret. */
export function fillIn(example: string, random: (bytes: number) => Buffer = randomBytes): string {
  return example
    .split("\n")
    .map((line) => {
      if (/^\s*\w+=random\s*$/.test(line)) return line.replace(/random\s*$/, random(32).toString("hex"));
      if (/^\s*\w+=random-whsec\s*$/.test(line)) return line.replace(/random-whsec\s*$/, `whsec_${random(32).toString("base64")}`);
      return line;
    })
    .join("\n");
}

/** Pure. NAME=value lines, as wrangler reads them: comments and blank lines skipped, quotes around a value taken off. */
export function parseVars(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line);
    if (match === null) continue;
    const [, name = "", value = ""] = match;
    const quoted = /^(["'])(.*)\1(?:\s+#.*)?$/.exec(value);
    found[name] = quoted === null ? value.replace(/\s+#.*$/, "") : (quoted[2] ?? "");
  }
  return found;
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
