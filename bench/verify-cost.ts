/**
 * What verifying costs beside a bare `subtle.verify` with a cached key, in workerd, as a ratio in the same run: `npm run bench -- verify-cost`.
 * Rounds alternate, and the ratio is of the cheapest quarter's in CPU time, so that a busy machine does not count. The floor is the bare call: of what
 * no receiver can leave out it has neither the header's reading (0.5 us in workerd) nor the decoding of its hex (1 us), which \`reading\` adds to it.
 */
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { join } from "node:path";
import { childCpuMs } from "./parts/process-cpu.ts";

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
  entryPoints: [join(import.meta.dirname, "parts", "verify-worker.ts")],
  bundle: true,
  write: false,
  format: "esm",
  target: "es2024",
  define: { DEV: "false", FAULTS: "false" },
});
const script = bundled.outputFiles[0]?.text;
if (script === undefined) throw new Error("esbuild made nothing");
const miniflare = new Miniflare(convertV4MiniflareOptions({ cf: false, modules: true, script, compatibilityDate: "2026-11-01" }));

const quartile = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)] ?? Number.NaN;
const nowMs = (): number => childCpuMs("workerd") ?? performance.now();

async function roundMs(what: string, one: (typeof CASES)[number]): Promise<number> {
  const startMs = nowMs();
  const response = await miniflare.dispatchFetch(`http://bench/?what=${what}&preset=${one.preset}&bytes=${one.bytes}&times=${one.times}`);
  if (!response.ok) throw new Error(await response.text());
  await response.text();
  return nowMs() - startMs;
}

console.log("preset      bytes   floor us   reading us   ours us   ratio   to reading");
for (const one of CASES) {
  const floor: number[] = [];
  const reading: number[] = [];
  const ours: number[] = [];
  await roundMs("floor", one);
  await roundMs("reading", one);
  await roundMs("ours", one);
  for (let round = 0; round < ROUNDS; round++) {
    floor.push(await roundMs("floor", one));
    reading.push(await roundMs("reading", one));
    ours.push(await roundMs("ours", one));
  }
  const us = (values: readonly number[]): string => ((quartile(values) / one.times) * 1_000).toFixed(1);
  const ratio = (to: readonly number[]): string => (quartile(ours) / quartile(to)).toFixed(2);
  const cells = [one.preset.padEnd(9), String(one.bytes).padStart(8), us(floor).padStart(10), us(reading).padStart(12), us(ours).padStart(9)];
  console.log(`${cells.join(" ")}   ${ratio(floor).padStart(5)}   ${ratio(reading)}`);
}
await miniflare.dispose();
