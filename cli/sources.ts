/** The configured sources by name, each with its preset, read from the user's src/sources.ts. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Provider } from "../src/providers/provider.ts";
import { registry } from "../src/providers/registry.ts";
import { ROOT } from "./root.ts";

export type NamedSources = Readonly<Record<string, Provider>>;

/** Why src/sources.ts cannot be read under Node (it may import what only the Worker has), or its sources. */
export type ReadSources = { readonly ok: true; readonly sources: NamedSources } | { readonly ok: false; readonly why: string };

export async function readSources(path = join(ROOT, "src", "sources.ts")): Promise<ReadSources> {
  if (!existsSync(path)) return { ok: false, why: `${path} is missing` };
  try {
    const found: unknown = await import(pathToFileURL(path).href);
    const exported = isRecord(found) && isRecord(found["sources"]) ? Object.entries(found["sources"]) : [];
    const sources = exported.filter((entry): entry is [string, Provider] => isProvider(entry[1]));
    return sources.length > 0 ? { ok: true, sources: Object.fromEntries(sources) } : { ok: false, why: `${path} exports no \`sources\`` };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) };
  }
}

/** Where they cannot be read: every preset under its own name. */
export async function loadSources(): Promise<NamedSources> {
  const read = await readSources();
  return read.ok ? read.sources : Object.fromEntries(Object.entries(registry).map(([name, { preset }]) => [name, preset()]));
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isProvider = (value: unknown): value is Provider => isRecord(value) && typeof value["name"] === "string" && isRecord(value["scheme"]);
