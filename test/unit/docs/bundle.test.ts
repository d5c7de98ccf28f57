/** The Worker as `wrangler deploy` would upload it: it has the presets that src/sources.ts names, no others, and no sample. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runTool } from "../../../cli/run.ts";
import { readSources, type NamedSources } from "../../../cli/sources.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import { registry } from "../../../src/providers/registry.ts";

const folder = mkdtempSync(join(tmpdir(), "holdfast-bundle-"));
let bundle = "";
let sources: NamedSources = {};

/** Nothing is uploaded, and nothing outside is asked. */
const OFFLINE = {
  WRANGLER_SEND_METRICS: "false",
  CLOUDFLARE_CF_FETCH_ENABLED: "false",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_LOG_PATH: join(folder, "logs"),
};

beforeAll(async () => {
  const read = await readSources();
  if (!read.ok) throw new Error(read.why);
  ({ sources } = read);
  const { code, output } = await runTool("wrangler", ["deploy", "--dry-run", "--outdir", folder], "keep", OFFLINE);
  if (code !== 0) throw new Error(output);
  bundle = readFileSync(join(folder, "worker.js"), "utf8");
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const named = (): ReadonlySet<string> => new Set(Object.values(sources).map(({ name }) => name));
const quoted = (text: string): string => JSON.stringify(text);

it("has every preset that sources.ts names, by its page's address", () => {
  const used = Object.values(sources);
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter(({ docs }) => !bundle.includes(quoted(docs))).map(({ name }) => name)).toEqual([]);
});

it("has no preset that it does not name", () => {
  const used = Object.values(sources).flatMap(({ docs, hint }) => [docs, hint]);
  const others = Object.values(registry)
    .map(({ preset }) => preset())
    .filter(({ name }) => !named().has(name));
  expect(others.length).toBeGreaterThan(50);
  const tells = ({ docs, hint }: Provider): readonly string[] => [quoted(docs), hint].filter((text) => !used.some((other) => text.includes(other)));
  expect(others.filter((one) => tells(one).some((text) => bundle.includes(text))).map(({ name }) => name)).toEqual([]);
  for (const text of ["x-shopify-hmac-sha256", "x-slack-signature", "paypal-transmission-sig"])
    if (!JSON.stringify(sources).includes(text)) expect(bundle).not.toContain(text);
});

it("has no sample, not even of the presets that it has", () => {
  for (const name of named())
    expect(bundle).not.toMatch(new RegExp(`\\b${name.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}Sample\\b`));
  // Words of the samples of the four presets that a new checkout has.
  for (const text of ["octocat/hello-world", "GitHub-Hookshot", "amount_received"]) expect(bundle).not.toContain(text);
});

it("has no fault point: neither their module, nor a call that could be reached", () => {
  const mentions = bundle.split("\n").filter((line) => /faultPoint|FAULTS|FAULT_POINTS|FaultController/.test(line));
  // The bundler leaves the text of a branch that it knows to be dead, bound to nothing.
  expect(mentions.filter((line) => !/^\s*if \(false(?: && [^|]+)?\) await faultPoint\d*\(.*\);$/.test(line))).toEqual([]);
  expect(bundle).not.toContain("// src/fault-points.ts");
});
