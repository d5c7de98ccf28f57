/** The configured sources by name, each with its preset, read from the user's src/sources.ts. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Provider } from "../src/providers/provider.ts";
import { registry } from "../src/providers/registry.ts";
import { ROOT } from "./root.ts";

/** Where src/sources.ts cannot be read under Node (it may import what only the Worker has): every preset under its own name. */
export async function loadSources(): Promise<Readonly<Record<string, Provider>>> {
  const path = join(ROOT, "src", "sources.ts");
  const found: unknown = existsSync(path) ? await import(pathToFileURL(path).href).catch(() => null) : null;
  if (typeof found === "object" && found !== null && "sources" in found && isRecord(found.sources)) {
    const sources = Object.entries(found.sources).filter((entry): entry is [string, Provider] => isProvider(entry[1]));
    if (sources.length > 0) return Object.fromEntries(sources);
  }
  return Object.fromEntries(Object.entries(registry).map(([name, preset]) => [name, preset()]));
}

export async function sourceNames(): Promise<string[]> {
  return Object.keys(await loadSources());
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isProvider = (value: unknown): value is Provider => isRecord(value) && typeof value["name"] === "string" && isRecord(value["scheme"]);
