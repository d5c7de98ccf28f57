/**
 * What verifying costs beside a bare `subtle.verify` with a cached key, in workerd, as a ratio in the same run: `npm run bench -- verify-cost`.
 * Rounds alternate, and the ratio is of the medians, so that a busy machine slows both alike.
 */
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { join } from "node:path";

const ROUNDS = 15;
const CASES = [
  { preset: "github", bytes: 2_000, times: 4_000 },
  { preset: "stripe", bytes: 2_000, times: 4_000 },
  { preset: "standard", bytes: 2_000, times: 4_000 },
  { preset: "github", bytes: 20_000, times: 2_000 },
  { preset: "stripe", bytes: 20_000, times: 2_000 },
  { preset: "github", bytes: 1_000_000, times: 100 },
  { preset: "stripe", bytes: 1_000_000, times: 100 },
] as const;

const bundled = await build({
  entryPoints: [join(import.meta.dirname, "verify-worker.ts")],
  bundle: true,
  write: false,
  format: "esm",
  target: "es2024",
  define: { DEV: "false", FAULTS: "false" },
});
const script = bundled.outputFiles[0]?.text;
if (script === undefined) throw new Error("esbuild made nothing");
const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, modules: true, script, compatibilityDate: "2026-11-01" }));

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function roundMs(what: string, one: (typeof CASES)[number]): Promise<number> {
  const startMs = performance.now();
  const response = await miniflare.dispatchFetch(`http://bench/?what=${what}&preset=${one.preset}&bytes=${one.bytes}&times=${one.times}`);
  if (!response.ok) throw new Error(await response.text());
  return performance.now() - startMs;
}

console.log("preset      bytes   floor us   ours us   ratio");
for (const one of CASES) {
  const floor: number[] = [];
  const ours: number[] = [];
  await roundMs("floor", one);
  await roundMs("ours", one);
  for (let round = 0; round < ROUNDS; round++) {
    floor.push(await roundMs("floor", one));
    ours.push(await roundMs("ours", one));
  }
  const us = (values: readonly number[]): number => (median(values) / one.times) * 1_000;
  const cells = [one.preset.padEnd(9), String(one.bytes).padStart(8), us(floor).toFixed(1).padStart(10), us(ours).toFixed(1).padStart(9)];
  console.log(`${cells.join(" ")}   ${(median(ours) / median(floor)).toFixed(2)}`);
}
await miniflare.dispose();
