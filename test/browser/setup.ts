/** Once a run: a ledger of a million events, and the dev stack on it. Everything is provided by address, so that each test file may use it. */
import { rmSync } from "node:fs";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { findChromium, NO_CHROMIUM } from "../../cli/checks/chromium.ts";
import { readVars } from "../../cli/dev-vars.ts";
import { newDataDir, startDevStack } from "../support/dev-stack.ts";
import { TABLES_SQL } from "../support/own-app.ts";
import { testDatabases } from "../support/postgres.ts";
import { seedLedger } from "../support/seed-ledger.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly browser: BrowserTestbed;
  }
}

export interface BrowserTestbed {
  readonly chromium: string;
  readonly url: string;
  readonly databaseUrl: string;
  readonly adminToken: string;
  readonly webhookSecret: string;
}

const EVENTS = 1_000_000;
const MENDED_SQL = "create table if not exists test_mended (prefix text primary key)";

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const chromium = findChromium();
  if (chromium === null) throw new Error(NO_CHROMIUM);
  const databaseUrl = await (await testDatabases()).createDatabase("browser");
  await fill(databaseUrl);

  const dataDir = newDataDir();
  const stack = startDevStack(dataDir, "--real-timings", "--database-url", databaseUrl, "--main", "test/browser/worker.ts");
  const stop = async (): Promise<void> => {
    await stack.stop();
    await stack.kill();
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const { url, adminToken, varsFile } = await stack.ready();
    project.provide("browser", { chromium, url, databaseUrl, adminToken, webhookSecret: readVars(varsFile)["WEBHOOK_SECRET"] ?? "" });
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

async function fill(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice() {} });
  try {
    for (const statement of [...TABLES_SQL, MENDED_SQL]) await sql.unsafe(statement);
    const startMs = performance.now();
    await seedLedger((statement) => sql.unsafe(statement), { events: EVENTS });
    console.log(`seeded ${EVENTS.toLocaleString("en")} events in ${((performance.now() - startMs) / 1_000).toFixed(0)} s`);
  } finally {
    await sql.end();
  }
}
