// `@cloudflare/vitest-pool-workers` is an alias: its makers renamed it to `@cloudflare/vitest-plugin` and froze it under the old name (DESIGN 6).
import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { newVars } from "./cli/source-keys.ts";
import { loadSources, readSources, type NamedSources } from "./cli/sources.ts";
import { faultServices } from "./test/fault/services.ts";
import { testDatabases } from "./test/support/postgres.ts";

/** Vitest evaluates this file once for each project, all in one process: what it starts is started once. */
const started: Map<string, Promise<unknown>> = ((globalThis as { holdfastStarted?: Map<string, Promise<unknown>> }).holdfastStarted ??= new Map());
function once<T>(name: string, start: () => Promise<T>): Promise<T> {
  if (!started.has(name)) started.set(name, start());
  return started.get(name) as Promise<T>;
}

const databases = await once("postgres", testDatabases);

/** wrangler.toml's, but that a batch is not waited for: a second for each message that a test waits for came to minutes. */
const consumer = { maxBatchTimeout: 0.02, maxBatchSize: 100, maxRetries: 100 };
const queueConsumers = { events: { ...consumer, retryDelay: 30, deadLetterQueue: "events-dlq" }, "events-dlq": { ...consumer, retryDelay: 60 } };
/** No line that is logged gives anything away. */
const setupFiles = ["./test/support/watch-log.ts"];

/** Inside workerd every project has the Worker's own bindings, secrets that only tests know, and a database of its own. */
const workerd = async (name: string, include: string[], app: { readonly alias?: string; readonly secrets: Readonly<Record<string, string>> }) => {
  const databaseUrl = await once(name, () => databases.createDatabase(name));
  return {
    plugins: [
      cloudflareTest({
        main: "./test/support/worker.ts",
        wrangler: { configPath: "./wrangler.toml" },
        miniflare: {
          bindings: { TIMINGS: "fast", ADMIN_TOKEN: "test-admin-token", ...app.secrets },
          hyperdrives: { HYPERDRIVE: databaseUrl },
          queueConsumers,
        },
      }),
    ],
    define: { DEV: "true", FAULTS: "false" },
    ...(app.alias === undefined ? {} : { resolve: { alias: { "#app": new URL(app.alias, import.meta.url).pathname } } }),
    test: { name, include, setupFiles, provide: await once("fault", faultServices), testTimeout: 30_000, hookTimeout: 30_000, retry: 0 },
  };
};

/** Keys of each source's form, both halves: `deliver` signs with the bindings that the Worker verifies with. What is set stays. */
async function secretsOf(sources: NamedSources, set: Readonly<Record<string, string>> = {}): Promise<Readonly<Record<string, string>>> {
  const made = await Promise.all(Object.entries(sources).map(([name, provider]) => newVars(name, provider, set, { withHandedOver: true })));
  return Object.assign({ ...set }, ...made) as Readonly<Record<string, string>>;
}

async function sourcesIn(app: string): Promise<NamedSources> {
  const read = await readSources(new URL(app, import.meta.url).pathname);
  if (!read.ok) throw new Error(`${app}: ${read.why}`);
  return read.sources;
}

const OWN_APP = "./test/support/own-app.ts";
/** Holdfast's own tests: sources, handlers and tables of their own (`#app`), so that the user's in src may change. */
const own = {
  alias: OWN_APP,
  // These four the tests know by heart.
  secrets: await once("own secrets", async () =>
    secretsOf(await sourcesIn(OWN_APP), {
      WEBHOOK_SECRET: "generic-test-secret",
      STRIPE_WEBHOOK_SECRET: "whsec_test_stripe",
      GITHUB_WEBHOOK_SECRET: "gh-test-secret",
      STANDARD_WEBHOOK_SECRET: "whsec_c3RhbmRhcmQtd2ViaG9va3MtdGVzdC1rZXktMDAwMSE=",
    }),
  ),
};
/** The user's tests: their sources. */
const users = { secrets: await once("users secrets", async () => secretsOf(await loadSources())) };
/** Every preset that there is, each a source of its own name. */
const EVERY_PRESET = "./test/support/every-preset.ts";
const all = { alias: EVERY_PRESET, secrets: await once("all secrets", async () => secretsOf(await sourcesIn(EVERY_PRESET))) };

export default defineConfig({
  test: {
    // The Worker under test logs every delivery; what a failing test logged is shown.
    silent: "passed-only",
    projects: [
      { define: { FAULTS: "false" }, test: { name: "unit", include: ["test/unit/**/*.test.ts"], setupFiles, environment: "node" } },
      await workerd("worker", ["test/worker/**/*.test.ts"], own),
      await workerd("integration", ["test/integration/**/*.test.ts", "test/field-cases/**/*.test.ts"], own),
      await workerd("handlers", ["src/handlers/**/*.test.ts"], users),
      await workerd("presets", ["test/presets/**/*.test.ts"], all),
      {
        plugins: [cloudflareTest({ miniflare: { compatibilityDate: "2026-11-01" } })],
        test: { name: "fault", include: ["test/fault/**/*.test.ts"], setupFiles, provide: await once("fault", faultServices), testTimeout: 10_000 },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          environment: "node",
          testTimeout: 300_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          environment: "node",
          globalSetup: "test/browser/setup.ts",
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // One stack and one ledger for all: a figure is compared while nobody else changes it.
          fileParallelism: false,
        },
      },
      {
        define: { FAULTS: "false" },
        test: {
          name: "crash",
          include: ["test/crash/**/*.test.ts"],
          environment: "node",
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Each file has a stack of its own; of three that boot side by side one has been seen to fail.
          fileParallelism: false,
        },
      },
    ],
  },
});
