/**
 * The Worker's bundle on Miniflare, with its storage on disk, in a process of its own: the whole of it can be killed like a machine,
 * and started again on the same data in a second. Run as `node miniflare-child.ts <settings as JSON>`; it says `ready` on its stdout.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { V4MiniflareOptions } from "miniflare";

export interface ChildSettings {
  readonly port: number;
  /** What wrangler has bundled. */
  readonly script: string;
  readonly storage: string;
  readonly databaseUrl: string;
  readonly vars: Readonly<Record<string, string>>;
}

const settings = JSON.parse(process.argv[2] ?? "") as ChildSettings;
// Wrangler's own Miniflare: the versions belong together, and wrangler is what we depend on.
const fromWrangler = createRequire(createRequire(import.meta.url).resolve("wrangler"));
const { Miniflare, convertV4MiniflareOptions } = fromWrangler("miniflare") as typeof import("miniflare");

/** As wrangler.toml says it. */
const worker = {
  name: "holdfast",
  modules: [{ type: "ESModule", path: "worker.js", contents: readFileSync(settings.script, "utf8") }],
  compatibilityDate: "2026-11-01",
  bindings: { ...settings.vars },
  durableObjects: { CLAIMS: { className: "EventClaim", useSQLite: true }, REPLAY_RUNS: { className: "ReplayRun", useSQLite: true } },
  queueProducers: { EVENTS: { queueName: "events" } },
  queueConsumers: {
    events: { maxBatchSize: 100, maxBatchTimeout: 1, maxRetries: 100, retryDelay: 30, deadLetterQueue: "events-dlq" },
    "events-dlq": { maxBatchSize: 100, maxBatchTimeout: 5, maxRetries: 100, retryDelay: 60 },
  },
  hyperdrives: { HYPERDRIVE: settings.databaseUrl },
};
const options: V4MiniflareOptions = { host: "127.0.0.1", port: settings.port, cf: false, workers: [worker] } as V4MiniflareOptions;
const runtime = new Miniflare({ ...convertV4MiniflareOptions(options), resourcePersistencePath: settings.storage });
await runtime.ready;
console.log("ready");
// Whoever started it is gone.
process.stdin.resume().once("end", () => process.exit(0));
