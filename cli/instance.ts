/** The instance that `npm run dev` has up, as .data/dev.json describes it; options stand in for what it lacks. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readVars } from "./dev-vars.ts";
import { ROOT } from "./root.ts";

export interface Instance {
  readonly url: string;
  readonly databaseUrl: string | null;
  readonly adminToken: string | null;
  /** What stands before /webhooks/... where the signature covers the URL; null: `url`. */
  readonly publicBaseUrl: string | null;
  /** NAME=value of the Worker's secrets; the environment's own values go first. */
  readonly vars: Readonly<Record<string, string | undefined>>;
}

export interface InstanceFlags {
  readonly url?: string;
  readonly databaseUrl?: string;
  readonly dataDir?: string;
}

/** With --url nothing of the local instance is used but the secrets in .dev.vars: its ledger is not that one's. */
export function findInstance(flags: InstanceFlags): Instance {
  if (flags.url !== undefined) {
    const vars = { ...varsOr(join(ROOT, ".dev.vars")), ...process.env };
    return {
      url: withoutSlash(flags.url),
      databaseUrl: flags.databaseUrl ?? null,
      adminToken: vars["ADMIN_TOKEN"] ?? null,
      publicBaseUrl: null,
      vars,
    };
  }
  const path = join(flags.dataDir ?? join(ROOT, ".data"), "dev.json");
  const running = readDevJson(path);
  if (running === null)
    throw new Error(`nothing is running (${path} is missing): start it with \`npm run dev\`, or say where (--help names the option).`);
  const vars = { ...varsOr(running.varsFile), ...process.env };
  const { url, databaseUrl, adminToken, publicBaseUrl } = running;
  return { url, databaseUrl: flags.databaseUrl ?? databaseUrl, adminToken, publicBaseUrl, vars };
}

/** .data/dev.json, which `npm run dev` writes once it answers. */
export interface DevJson {
  readonly url: string;
  readonly databaseUrl: string;
  readonly adminToken: string | null;
  readonly varsFile: string;
  readonly publicBaseUrl: string | null;
}

function readDevJson(path: string): DevJson | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as DevJson;
  } catch {
    return null;
  }
}

function varsOr(path: string): Record<string, string> {
  try {
    return readVars(path);
  } catch {
    return {};
  }
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, "");
